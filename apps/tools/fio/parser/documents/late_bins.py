"""Parser of JSON+ documents without a Python object for every latency bin.

Bins are most of such a document. msgspec leaves them as bytes, and only the bins that a figure
needs are decoded, one object at a time.
"""

from __future__ import annotations

import msgspec
import orjson

from apps.tools.fio.parser.bins.bins import Bins, from_counts
from apps.tools.fio.parser.direction import MIXED, OPERATIONS, SYNC
from apps.tools.values import Decoded

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_JOBS = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])
_BINS = msgspec.json.Decoder(dict[int, int])
_DIRECTIONS = (*OPERATIONS, MIXED, SYNC)
_LATENCIES = ("lat_ns", "clat_ns")  # the first with bins describes an operation
Members = dict[str, msgspec.Raw]


def load_document(text: bytes | memoryview) -> Decoded | None:
    """Return one document, with `Bins` for the bins in ns that are used and no others.

    Return None if the text is damaged, or its bins are not those of fio 3.
    """
    try:
        return _document(_MEMBERS.decode(text))
    except (msgspec.DecodeError, orjson.JSONDecodeError, ValueError, RecursionError):
        return None


def _document(members: Members) -> Decoded:
    result: Decoded = {}
    for name, raw in members.items():
        if name in ("jobs", "client_stats"):
            result[name] = [_job(job) for job in _JOBS.decode(raw)]
        else:
            result[name] = _value(raw)
    return result


def _value(raw: msgspec.Raw) -> object:
    return orjson.loads(memoryview(raw))


def _job(members: Members) -> Decoded:
    return {
        name: _direction(raw) if name in _DIRECTIONS else _value(raw)
        for name, raw in members.items()
    }


def _direction(raw: msgspec.Raw) -> Decoded:
    """Return a direction; only its first latency with bins has them."""
    result: Decoded = {}
    binned = False
    members = _MEMBERS.decode(raw)
    for name in (*_LATENCIES, *(each for each in members if each not in _LATENCIES)):
        if name not in members:
            continue
        if not name.endswith("lat_ns"):
            result[name] = _value(members[name])
            continue
        phase = _MEMBERS.decode(members[name])
        bins = phase.pop("bins", None)
        result[name] = latency = {each: _value(value) for each, value in phase.items()}
        if bins is not None and name in _LATENCIES and not binned:
            latency["bins"], binned = _bins(bins), True
    return result


def _bins(raw: msgspec.Raw) -> Bins:
    bins = from_counts(_BINS.decode(raw))
    if bins is None:
        raise ValueError("these are no bins of fio 3")
    return bins

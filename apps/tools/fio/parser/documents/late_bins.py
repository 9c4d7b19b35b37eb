"""A JSON+ document without a Python object for every latency bin.

Bins are most of such a document. msgspec leaves them as bytes, and only those that a figure needs
are decoded, one object at a time.
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
_LATENCIES = ("lat_ns", "clat_ns")  # the first that has bins describes an operation
Members = dict[str, msgspec.Raw]


def load_document(text: bytes | memoryview) -> Decoded | None:
    """One document, whose bins in nanoseconds are `Bins` where they count and missing elsewhere;
    None where the text is damaged, or its bins are not those of fio 3.
    """
    try:
        return _document(_MEMBERS.decode(text))
    except (msgspec.DecodeError, orjson.JSONDecodeError, ValueError, RecursionError):
        return None


def _document(members: Members) -> Decoded:
    found: Decoded = {}
    for name, raw in members.items():
        if name in ("jobs", "client_stats"):
            found[name] = [_job(job) for job in _JOBS.decode(raw)]
        else:
            found[name] = _value(raw)
    return found


def _value(raw: msgspec.Raw) -> object:
    return orjson.loads(memoryview(raw))


def _job(members: Members) -> Decoded:
    return {
        name: _direction(raw) if name in _DIRECTIONS else _value(raw)
        for name, raw in members.items()
    }


def _direction(raw: msgspec.Raw) -> Decoded:
    """A direction whose first latency with bins has them."""
    found: Decoded = {}
    binned = False
    members = _MEMBERS.decode(raw)
    for name in (*_LATENCIES, *(each for each in members if each not in _LATENCIES)):
        if name not in members:
            continue
        if not name.endswith("lat_ns"):
            found[name] = _value(members[name])
            continue
        phase = _MEMBERS.decode(members[name])
        bins = phase.pop("bins", None)
        found[name] = latency = {each: _value(value) for each, value in phase.items()}
        if bins is not None and name in _LATENCIES and not binned:
            latency["bins"], binned = _bins(bins), True
    return found


def _bins(raw: msgspec.Raw) -> Bins:
    bins = from_counts(_BINS.decode(raw))
    if bins is None:
        raise ValueError("these are no bins of fio 3")
    return bins

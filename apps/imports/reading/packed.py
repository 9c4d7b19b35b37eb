"""Parsed results as bytes and back: an import's files are parsed once, by whichever process reads
them, and stored by another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import zstandard

from apps.imports.reading.result import ResultRead
from apps.tools.base import Histogram, HistogramSeries, Latency, Measurement, Parsed, Series
from apps.tools.series.arrays import FloatValues
from apps.tools.workloads.points import Point

_FLOATS = 1  # our type of msgpack's extension: little-endian float32
_LEVEL = 1
_NESTED = ("latency", "series", "histogram", "over_time")
_TUPLES = ("unread_options", "warnings", "lines")
_MOST = 1 << 31


def packed(reading: ResultRead) -> bytes | None:
    """The bytes of a reading with results; None where they cannot hold it (an integer beyond 64
    bits, a lone surrogate).
    """
    if reading.parsed is None:
        return None
    try:
        plain = msgspec.msgpack.encode(_told(reading, reading.parsed), enc_hook=_array)
    except (TypeError, ValueError, OverflowError, KeyError):
        return None
    return zstandard.ZstdCompressor(_LEVEL).compress(plain)


def unpacked(data: bytes) -> ResultRead | None:
    """The same again, with lists for tuples within `values`; None for what another release
    packed.
    """
    try:
        plain = zstandard.ZstdDecompressor().decompress(data, max_output_size=_MOST)
        tool, parsed, points, options = msgspec.msgpack.decode(plain, ext_hook=_floats)
        measurements = tuple(map(_measurement, parsed.pop("measurements")))
        parsed["warnings"] = tuple(parsed["warnings"])
        return ResultRead(
            tool,
            parsed=Parsed(measurements=measurements, **parsed),
            points=[_point(measurements, *each) for each in points],
            options=tuple(options),
        )
    except (TypeError, ValueError, KeyError, msgspec.DecodeError, zstandard.ZstdError):
        return None


def _told(reading: ResultRead, parsed: Parsed) -> object:
    """Points name their measurements by place."""
    places = {id(found): place for place, found in enumerate(parsed.measurements)}
    points = [
        (
            *(point.key, point.label, point.params, point.exact),
            *(point.nameless_key, point.occurrence, point.call, point.target),
            [places[id(found)] for found in point.measurements],
            point.same_as,
        )
        for point in reading.points
    ]
    return reading.tool, parsed, points, reading.options


def _point(found: tuple[Measurement, ...], *said: Any) -> Point:
    key, label, params, exact, nameless, occurrence, call, target, places, same = said
    own = tuple(found[place] for place in places)
    return Point(key, label, params, exact, own, nameless, occurrence, call, target, same)


def _measurement(said: Mapping[str, Any]) -> Measurement:
    """The dataclass of what msgspec packed of it, member by member."""
    shape = said["histogram"]
    histogram = Histogram(tuple(shape["bins"]), tuple(shape["counts"])) if shape else None
    latency = Latency(**said["latency"])
    series = tuple(Series(**each) for each in said["series"])
    rest = {name: value for name, value in said.items() if name not in (*_NESTED, *_TUPLES)}
    lines = said["lines"]
    return Measurement(
        **rest,
        unread_options=tuple(said["unread_options"]),
        warnings=tuple(said["warnings"]),
        lines=None if lines is None else (lines[0], lines[1]),
        latency=latency,
        series=series,
        histogram=histogram,
        over_time=_over_time(said["over_time"]),
    )


def _over_time(said: Mapping[str, Any] | None) -> HistogramSeries | None:
    if said is None:
        return None
    counts = tuple(tuple(row) for row in said["counts"])
    return HistogramSeries(tuple(said["lows"]), counts, said["start"], said["interval"])


def _array(value: object) -> object:
    if isinstance(value, FloatValues):
        return msgspec.msgpack.Ext(_FLOATS, np.asarray(value, "<f4").tobytes())
    if isinstance(value, str):  # a sentence: an import's warnings are kept beside the reading
        return str(value)
    raise TypeError(f"a parser gave a {type(value).__name__}")


def _floats(_code: int, data: memoryview) -> FloatValues:
    return FloatValues(np.frombuffer(data, "<f4"))

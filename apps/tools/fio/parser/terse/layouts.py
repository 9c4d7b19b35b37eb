"""Layouts of terse lines: fields of each direction.

Version 2 lacks the version of fio; before fio 2.0 it had neither IOPS nor percentiles. Version 4
adds the trim direction (which fio 2 and 3 also put into version 2), version 5 samples of the IOPS.
With unified_rw_reporting=mixed a line has one direction of all operations; with "both" it follows
the others (stat.c, show_thread_status_terse_all).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.tools.fio.parser.direction import MIXED, NOTHING, OPERATIONS, Part, Phase
from apps.tools.fio.parser.tables import Whole
from apps.tools.parse_result import Latency
from apps.tools.values import Values

_PERCENTILES = 20
_AFTER = 5 + 7 + 10 + 12  # CPU, depths, shares of latencies; disks follow and may be missing
_DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
_BELOW = ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000")
_TABLES = (
    ("iodepth_level", _DEPTHS),
    ("latency_us", _BELOW),
    ("latency_ms", (*_BELOW, "2000", ">=2000")),
)
_PROCESSOR = ("usr_cpu", "sys_cpu", "ctx", "majf", "minf")
_ALL = (MIXED,)
_TWO, _THREE = OPERATIONS[:2], OPERATIONS
_SAMPLES = ("min", "max", "", "mean", "stddev")
_SAMPLES_5 = (*_SAMPLES, "samples")
_IOPS_SAMPLES = ("min", "max", "mean", "stddev", "samples")


@dataclass(frozen=True)
class Layout:
    """Fields of a line.

    `head`: number of fields before the first direction; `width`: number of fields of each of the
    `directions`.
    """

    head: int
    width: int
    directions: tuple[str, ...]
    has_iops: bool = True
    has_percentiles: bool = True

    @property
    def length(self) -> int:
        """Return the number of fields up to the last share."""
        return self.head + self.width * len(self.directions) + _AFTER

    def fits(self, fields: Sequence[str]) -> bool:
        """Return True if a line is long enough and has the CPU shares at their index."""
        after = self.length - _AFTER
        return len(fields) >= self.length and all(
            text.endswith("%") for text in fields[after : after + 2]
        )


def _layouts(head: int, width: int, directions: tuple[str, ...]) -> tuple[Layout, ...]:
    """Return the layouts of a version, the longest first."""
    both = (*directions, MIXED)
    return tuple(Layout(head, width, names) for names in (both, directions, _ALL))


_LAYOUTS = {
    "2": (*_layouts(4, 41, _THREE), Layout(4, 41, _TWO), Layout(4, 20, _TWO, False, False)),
    "3": _layouts(5, 41, _TWO),
    "4": _layouts(5, 41, _THREE),
    "5": _layouts(5, 47, _THREE),
}


def layout_of(fields: Sequence[str]) -> Layout | None:
    """Return the layout of a line; None if it is truncated."""
    layouts = _LAYOUTS[fields[0].strip()]
    return next((layout for layout in layouts if layout.fits(fields)), None)


def parts_of(name: str, fields: Sequence[str], layout: Layout) -> dict[str, Part]:
    """Return the directions of a job with I/O."""
    result: dict[str, Part] = {}
    for index, operation in enumerate(layout.directions):
        start = layout.head + index * layout.width
        part = _part(name[:100], list(fields[start : start + layout.width]), layout)
        if part is not None:
            result[operation] = part
    return result


def whole_of(fields: Sequence[str], layout: Layout, seconds: float) -> Whole:
    """Return the figures of a job that belong to no direction."""
    at = layout.length - _AFTER
    processor = map(plain_number, fields[at : at + len(_PROCESSOR)])
    result: Values = {n: v for n, v in zip(_PROCESSOR, processor, strict=True) if v is not None}
    at += len(_PROCESSOR)
    for name, buckets in _TABLES:
        shares = zip(buckets, map(plain_number, fields[at : at + len(buckets)]), strict=True)
        if table := {bucket: share for bucket, share in shares if share}:
            result[name] = table
        at += len(buckets)
    return Whole(result, seconds=seconds)


def _part(job: str, fields: list[str], layout: Layout) -> Part | None:
    # Insert missing fields as empty, so that all layouts have the same indices.
    if not layout.has_iops:
        fields = [*fields[:2], "", *fields[2:]]
    if not layout.has_percentiles:
        fields = [*fields[:12], *[""] * _PERCENTILES, *fields[12:]]
    kibibytes, rate, _, runtime = (plain_number(text) or 0.0 for text in fields[:4])
    if not kibibytes:
        return None
    seconds, iops = runtime / 1000, plain_number(fields[2])
    percentiles = _percentiles(fields[12 : 12 + _PERCENTILES])
    return Part(
        job=job,
        operations=0,
        transferred=int(kibibytes * 1024),
        runtime=seconds,
        bandwidth=kibibytes * 1024 / seconds if seconds else rate * 1024,
        iops=iops,
        phases={
            "slat": _phase(fields[4:8], {}),
            "clat": _phase(fields[8:12], percentiles),
            "lat": _phase(fields[32:36], {}),
        },
        values={"printed": {"bandwidth": rate * 1024, "iops": iops}} | _samples(fields[36:]),
    )


def _phase(fields: Sequence[str], percentiles: dict[str, float]) -> Phase:
    """Return a latency; fio prints zeros for one that it did not record."""
    smallest, largest, mean, deviation = (plain_number(text) for text in fields)
    if not largest and not mean and not any(percentiles.values()):
        return NOTHING
    scaled = [
        None if value is None else round(value * 1000, 6)
        for value in (smallest, mean, largest, deviation)
    ]
    return Phase(Latency(scaled[0], scaled[1], scaled[2], scaled[3], percentiles))


def _percentiles(fields: Sequence[str]) -> dict[str, float]:
    """Return "99.500000%=4014" as {"99.5": 4014000.0}; unused fields are "0%=0"."""
    result: dict[str, float] = {}
    for text in fields:
        name, _, value = text.partition("%=")
        percentage, latency = plain_number(name), plain_number(value)
        if percentage and latency is not None and percentage <= 100:
            result[f"{percentage:.6f}".rstrip("0").rstrip(".")] = latency * 1000
    return result


def _samples(fields: Sequence[str]) -> Values:
    """Return bandwidth over time and, in version 5, IOPS over time; empty without samples."""
    names = _SAMPLES if len(fields) == len(_SAMPLES) else _SAMPLES_5
    return dict(
        [
            *_sampled("bandwidth", names, fields[: len(names)], 1024),
            *_sampled("iops", _IOPS_SAMPLES, fields[len(names) :], 1),
        ]
    )


def _sampled(
    prefix: str, names: Sequence[str], fields: Sequence[str], scale: int
) -> Iterator[tuple[str, float]]:
    samples = dict(zip(names, map(plain_number, fields), strict=False))
    if samples.get("max"):
        for name, value in samples.items():
            if name and value is not None:
                unit = 1 if name == "samples" else scale
                yield f"{prefix}_{name}", round(value * unit, 6)


def plain_number(text: str) -> float | None:
    """Return a plain number of at most 30 characters."""
    match = re.fullmatch(r"\d{1,18}(\.\d{1,12})?", text.strip()[:40].removesuffix("%"))
    return float(match[0]) if match else None

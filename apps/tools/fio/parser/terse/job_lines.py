"""fio's terse output, versions 2 to 5: one line of semicolon-separated figures a job (fio(1),
"TERSE OUTPUT").

Rates are KiB/s, latencies microseconds, run times milliseconds. Version 2 has no version of fio in
it; before fio 2.0 it had neither IOPS nor percentiles. Version 4 adds the trim direction (which
fio 2 and 3 put into version 2 as well), version 5 samples of the IOPS.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.tools.base import Completeness, Latency, Measurement, OutputError, Parsed
from apps.tools.fio.parser.direction import OPERATIONS, Part, Phase
from apps.tools.fio.parser.totals import measurement
from apps.tools.sentences import sentence
from apps.tools.text import as_text
from apps.tools.values import Values

from .reports import EARLIER, UNTOLD, Line, Report, disks_of, last_reports, reports

LINE = re.compile(
    r"^[ \t]*(?:(?P<format>[345]);(?:fio-)?(?P<version>\d[\w.-]{0,40});"
    r"|2;[^;\n]{0,100};\d{1,6};\d{1,6};(?=[^\n]*?(?:;\d{1,3}\.\d+%){2};\d+;\d+;\d+(?:;\d{1,3}\.\d%){7};))",
    re.MULTILINE,
)
_PERCENTILES = 20
_AFTER = 5 + 7 + 10 + 12  # processor, depths, shares of latencies; disks follow and may be missing
MAX_LINES = 10_000
TOO_MANY = "Only the first {} terse lines are read."


@dataclass(frozen=True)
class Layout:
    """`head`: fields before the first direction; `width`: fields of each of the `directions`; what
    they have besides the sums."""

    head: int
    width: int
    directions: int
    has_iops: bool = True
    has_percentiles: bool = True

    @property
    def length(self) -> int:
        """Fields up to the last share."""
        return self.head + self.width * self.directions + _AFTER


_LAYOUTS = {
    "2": (Layout(4, 41, 3), Layout(4, 41, 2), Layout(4, 20, 2, False, False)),
    "3": (Layout(5, 41, 2),),
    "4": (Layout(5, 41, 3),),
    "5": (Layout(5, 47, 3),),
}


def parse_terse(data: bytes, told: Counter[tuple[str, str]] | None = None) -> Parsed:
    """Read terse lines. `told`: how often each job, by name and group, is told in another form,
    whose lines are left out. Raises OutputError where no line is complete."""
    texts = [line.strip() for line in as_text(data).split("\n") if LINE.match(line)]
    read = [line for text in texts[:MAX_LINES] if (line := _line(text)) is not None]
    lines = list(_untold(read, Counter(told)))
    found = reports(lines)
    last = last_reports(found)
    measurements = tuple(each for report in last for each in _measurements(report))
    if not measurements:
        raise OutputError("There is no complete terse line of fio with any operation.")
    failures = [line.failure for line in lines if line.failure]
    short = ["The output is cut off."] if len(read) < len(texts[:MAX_LINES]) else []
    untold = [UNTOLD.format(*job) for report in last for job in report.untold]
    earlier = [EARLIER.format(len(found) - len(last))] if len(last) < len(found) else []
    more = [TOO_MANY.format(MAX_LINES)] if len(texts) > MAX_LINES else []
    end: Completeness = "partial" if failures or short or more else "whole"
    return Parsed(
        tool="fio",
        format="terse",
        version=read[0].version[1] or None,
        measurements=measurements,
        warnings=tuple(dict.fromkeys((*failures, *short, *more, *untold, *earlier))),
        completeness="unknown" if untold and end == "whole" else end,
    )


def _untold(lines: Iterable[Line], told: Counter[tuple[str, str]]) -> Iterator[Line]:
    """The lines without those of jobs that are told in another form."""
    for line in lines:
        if told[line.name, str(line.group)]:
            told[line.name, str(line.group)] -= 1
        else:
            yield line


def _line(text: str) -> Line | None:
    """A whole line; None for one that is cut off."""
    fields = text.split(";")
    layout, match = _layout(fields), LINE.match(text)
    if layout is None or match is None:
        return None
    name, group, error = fields[layout.head - 3 : layout.head]
    return Line(
        text=text,
        version=(fields[0].strip(), match["version"] or ""),
        name=name.strip(),
        group=int(_number(group) or 0),
        parts=_parts(name, fields, layout),
        disks=disks_of(";" + ";".join(fields[layout.length :])),
        failure="" if error == "0" else sentence("fio reports error %(code)s.", code=error[:10]),
    )


def _measurements(report: Report) -> Iterator[Measurement]:
    groups: dict[tuple[int, str], list[Part]] = {}
    for line in report.lines:
        for operation, part in line.parts.items():
            groups.setdefault((line.group, operation), []).append(part)
    for (group, operation), parts in groups.items():
        yield measurement(operation, parts, {}, {}, [], group=group)


def _layout(fields: list[str]) -> Layout | None:
    """The layout of a line; None for one that is cut off. Of version 2 there are three, told apart
    by where the two shares of the processor stand.
    """
    for layout in _LAYOUTS[fields[0].strip()]:
        after = layout.length - _AFTER
        if len(fields) >= layout.length and all(f.endswith("%") for f in fields[after : after + 2]):
            return layout
    return None


def _parts(name: str, fields: list[str], layout: Layout) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for index, operation in enumerate(OPERATIONS[: layout.directions]):
        start = layout.head + index * layout.width
        part = _part(name[:100], fields[start : start + layout.width], layout)
        if part is not None:
            parts[operation] = part
    return parts


def _part(job: str, fields: list[str], layout: Layout) -> Part | None:
    """Fields that this layout does not have are put in as unknown, so that all stand at one
    place."""
    if not layout.has_iops:
        fields = [*fields[:2], "", *fields[2:]]
    if not layout.has_percentiles:
        fields = [*fields[:12], *[""] * _PERCENTILES, *fields[12:]]
    kibibytes, rate, _, runtime = (_number(text) or 0.0 for text in fields[:4])
    if not kibibytes:
        return None
    seconds, iops = runtime / 1000, _number(fields[2])
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
        values={"printed": {"bandwidth": rate * 1024, "iops": iops}} | _samples(fields[36:41]),
    )


def _phase(fields: list[str], percentiles: dict[str, float]) -> Phase:
    smallest, largest, mean, deviation = (_number(text) for text in fields)
    scaled = [
        None if value is None else round(value * 1000, 6)
        for value in (smallest, mean, largest, deviation)
    ]
    return Phase(Latency(scaled[0], scaled[1], scaled[2], scaled[3], percentiles))


def _percentiles(fields: list[str]) -> dict[str, float]:
    """ "99.500000%=4014" -> {"99.5": 4014000.0}; unused places are "0%=0"."""
    found: dict[str, float] = {}
    for text in fields:
        name, _, value = text.partition("%=")
        percentage, latency = _number(name), _number(value)
        if percentage and latency is not None and percentage <= 100:
            found[f"{percentage:.6f}".rstrip("0").rstrip(".")] = latency * 1000
    return found


def _samples(fields: list[str]) -> Values:
    """Bandwidth over time: min, max, share of the group, mean, deviation."""
    names = ("min", "max", "", "mean", "stddev")
    found = {name: _number(text) for name, text in zip(names, fields, strict=True) if name}
    return {
        f"bandwidth_{name}": round(value * 1024, 6)
        for name, value in found.items()
        if value is not None
    }


def _number(text: str) -> float | None:
    """A plain number of at most 30 characters."""
    match = re.fullmatch(r"\d{1,18}(\.\d{1,12})?", text.strip()[:40].removesuffix("%"))
    return float(match[0]) if match else None

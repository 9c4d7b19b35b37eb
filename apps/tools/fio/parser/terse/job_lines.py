"""Lines of fio's terse output, versions 2 to 5: semicolon-separated figures of a job.

Format: fio(1), "TERSE OUTPUT". Rates are KiB/s, latencies microseconds, run times milliseconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from apps.tools.errors import OutputError
from apps.tools.fio.parser.completeness import worst
from apps.tools.fio.parser.direction import Part
from apps.tools.fio.parser.normal.patterns import REMARK, SIGNAL, VERIFY
from apps.tools.fio.parser.tables import combine, disks_name, joined_names
from apps.tools.fio.parser.totals import measurement
from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement, Parsed
from apps.tools.text import as_text
from apps.tools.values import Parameters, Values

from .layouts import layout_of, parts_of, plain_number, whole_of
from .reports import (
    ALL_CLIENTS,
    AMBIGUOUS,
    EARLIER,
    Line,
    Report,
    disk_values,
    disks_of,
    last_reports,
    reports,
)

# Progress or disks without a line feed, or the prefix of a log, may precede a line.
LINE = re.compile(
    r"^(?:[^\n]{0,500}\r)?(?:[ \t]*|[^;\n]{0,200}?[ \t>)\]](?=[345];fio-)"
    r"|;[^\n]{0,300}?%(?=[345];fio-))"
    r"(?P<line>(?P<format>[345]);(?:fio-)?(?P<version>\d[\w.-]{0,40});"
    r"|2;[^;\n]{0,100};\d{1,6};\d{1,6};"
    r"(?=[^\n]*?(?:;\d{1,3}\.\d+%){2};\d+;\d+;\d+(?:;\d{1,3}\.\d%){7};))",
    re.MULTILINE,
)
MAX_LINES = 10_000
MAX_REMARKS, MAX_REMARK_LENGTH = 50, 300
_REMARKS = (REMARK, VERIFY)
TOO_MANY = "Only the first {} terse lines are read."
CUT = "The output is cut off."


@dataclass
class _Lines:
    """Lines of a text.

    `short`: numbers of truncated lines; `remarks`: fio's own messages by line number; `more`: the
    text has too many lines.
    """

    read: list[Line] = field(default_factory=list)
    short: list[int] = field(default_factory=list)
    remarks: dict[int, str] = field(default_factory=dict)
    more: bool = False

    @classmethod
    def of(cls, text: str) -> _Lines:
        result = cls()
        for number, line in enumerate(text.split("\n"), 1):
            match = LINE.match(line)
            if match is None:
                result._other(line, number)
                continue
            result._other(line[: match.start("line")], number)
            if len(result.read) + len(result.short) >= MAX_LINES:
                result.more = True
                break
            read = _line(line[match.start("line") :].strip(), number, match["version"] or "")
            if read is None:
                result.short.append(number)
            else:
                result.read.append(read)
        return result

    def _other(self, line: str, number: int) -> None:
        """Parse a line of text, or of the disks of the previous client."""
        if self.read and line.startswith(";"):
            names = tuple(disk[0] for disk in disks_of(line))
            self.read[-1] = replace(self.read[-1], below=names)
        elif len(self.remarks) < MAX_REMARKS and any(mark.match(line) for mark in _REMARKS):
            self.remarks[number] = line.strip()[:MAX_REMARK_LENGTH]

    def assign_remarks(self, last: Sequence[Report]) -> None:
        """Add each remark to the report that it precedes, else to the last one."""
        for number, text in self.remarks.items():
            following = [report for report in last if report.lines[-1].number > number]
            (following or last)[0 if following else -1].remarks.append(text)


def parse_terse(data: bytes, in_text: Counter[tuple[str, str]] | None = None) -> Parsed:
    """Parse terse lines.

    `in_text`: number of results of each job, by name and group, in another format; these lines are
    skipped. Raises: OutputError without a complete line.
    """
    lines = _Lines.of(as_text(data))
    all_reports = reports(list(_not_in_text(lines.read, Counter(in_text))))
    last = last_reports(all_reports)
    cut = {_nearest(last, number) for number in lines.short} if last else set()
    if last:
        lines.assign_remarks(last)
    measurements = tuple(
        each
        for call, report in enumerate(last, 1)
        for each in _measurements(report, call, cut=call - 1 in cut)
    )
    if not measurements:
        raise OutputError("There is no complete terse line of fio with any operation.")
    earlier = [EARLIER.format(len(all_reports) - len(last))] if len(last) < len(all_reports) else []
    more = [TOO_MANY.format(MAX_LINES)] if lines.more else []
    return Parsed(
        tool="fio",
        format="terse",
        version=lines.read[0].version[1] or None,
        measurements=measurements,
        warnings=(*more, *earlier, *_without_result(last)),
        completeness="partial" if lines.more else worst(measurements),
    )


def _not_in_text(lines: Iterable[Line], in_text: Counter[tuple[str, str]]) -> Iterator[Line]:
    """Yield the lines without those of jobs in another format."""
    for line in lines:
        if in_text[line.name, str(line.group)]:
            in_text[line.name, str(line.group)] -= 1
        else:
            yield line


def _line(text: str, number: int, version: str) -> Line | None:
    """Return a complete line; None for a truncated one."""
    fields = text.split(";")
    layout = layout_of(fields)
    if layout is None:
        return None
    name, group, error = fields[layout.head - 3 : layout.head]
    parts = parts_of(name.strip(), fields, layout)
    seconds = max((part.runtime for part in parts.values()), default=0.0)
    rest = ";" + ";".join(fields[layout.length :])
    return Line(
        text=text,
        version=(fields[0].strip(), version),
        name=name.strip(),
        group=int(plain_number(group) or 0),
        parts=parts,
        whole=whole_of(fields, layout, seconds),
        disks=disks_of(rest),
        devices=disk_values(rest),
        failure="" if error == "0" else message("fio reports error %(code)s.", code=error[:10]),
        number=number,
    )


def _nearest(last: Sequence[Report], number: int) -> int:
    """Return the index of the report of a truncated line: the previous one, else the first."""
    before = [at for at, report in enumerate(last) if report.lines[0].number < number]
    return before[-1] if before else 0


def _measurements(report: Report, call: int, *, cut: bool) -> Iterator[Measurement]:
    lines = report.jobs
    groups: dict[tuple[int, str], list[tuple[Line, Part]]] = {}
    for line in lines:
        for operation, part in line.parts.items():
            groups.setdefault((line.group, operation), []).append((line, part))
    ambiguous = set(report.ambiguous)
    for (group, operation), members in groups.items():
        group_lines = [line for line in lines if line.group == group]
        failures = tuple(dict.fromkeys(line.failure for line in group_lines if line.failure))
        doubts = [
            AMBIGUOUS.format(*job) for job in ambiguous if job in {line.job for line in group_lines}
        ]
        only_sum = all(line.name == ALL_CLIENTS for line, _part in members)
        parts = [replace(part, job="") if only_sum else part for _line, part in members]
        only_direction = all(len(line.parts) == 1 for line, _part in members)
        yield replace(
            measurement(
                operation,
                parts,
                _jobs(report, members, group_lines),
                _values(report, [line for line, _part in members]),
                [],
                group=group,
                only_direction=only_direction,
            ),
            call=call,
            target=_target(report, group_lines),
            unread_options=("client",) if only_sum else (),
            completeness=_state(
                failed=bool(failures) or any(map(SIGNAL.match, report.remarks)),
                cut=cut,
                doubtful=bool(doubts),
            ),
            warnings=(*report.remarks, *failures, *([CUT] if cut else ()), *doubts),
            lines=(
                min(line.number for line in group_lines),
                max(line.number for line in group_lines),
            ),
        )


def _values(report: Report, lines: Sequence[Line]) -> Values:
    """Return the figures of whole jobs, and the disks' counters."""
    values = combine([line.whole for line in lines])
    disks = list(lines[-1].devices)
    groups = {line.group for line in report.jobs if line.parts}
    return values | ({disks_name(len(groups)): disks} if disks else {})


def _target(report: Report, group_lines: Sequence[Line]) -> str:
    """Return the disks of the only group; if several groups share them, a single disk."""
    names = joined_names(name for line in group_lines for name in line.names)
    only_group = len(group_lines) == len(report.jobs)
    return names if only_group or "," not in names else ""


def _state(*, failed: bool, cut: bool, doubtful: bool) -> Completeness:
    if failed or cut:
        return "partial"
    return "unknown" if doubtful else "whole"


def _jobs(
    report: Report, members: Sequence[tuple[Line, Part]], group_lines: Sequence[Line]
) -> Parameters:
    """Return `numjobs` of jobs of one name that are printed individually.

    A single line may be the sum of a group.
    """
    names = {line.name for line, _part in members}
    same_name = len(names) == 1 and len(members) == sum(line.name in names for line in group_lines)
    if len(members) < 2 or not same_name or report.has_sum or report.ambiguous:
        return {}
    return {"numjobs": len(members)}


def _without_result(last: Sequence[Report]) -> list[str]:
    """Return the failures of groups without any operation."""
    result = []
    for report in last:
        measured = {line.group for line in report.lines if line.parts}
        result += [each.failure for each in report.lines if each.group not in measured]
    return list(dict.fromkeys(text for text in result if text))

"""Reports of fio's terse lines, and the calls of fio that printed them.

Lines that fio prints at once end with the same disk counters. With --status-interval they are
repeated while their counters grow. A repeated name may be another job of the same report (numjobs);
without disks it cannot be distinguished from another call of fio.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.tools.fio.parser.direction import Part
from apps.tools.fio.parser.tables import Whole
from apps.tools.values import Values

EARLIER = (
    "{} reports of a call of fio that another one follows are no results of their own; "
    "its last one counts."
)
AMBIGUOUS = (
    "Lines of job {} in group {} stand here several times: they are added up as jobs of one call "
    "of fio, and may be results of different calls."
)
# sda;14963;55;0;7;803;5;810;50.15%
_DISK = re.compile(r";([^;%]{1,64});(\d+);(\d+);(\d+);(\d+);(\d+);(\d+);(\d+);(\d+(?:\.\d+)?)%")
_COUNTERS = (
    *("read_ios", "write_ios", "read_merges", "write_merges"),
    *("read_ticks", "write_ticks", "in_queue"),
)
ALL_CLIENTS = "All clients"
_MIN_INTERVAL_SECONDS = 0.9  # seconds: fio accepts whole seconds, and a report may be early
_MAX_SPEEDUP = 3
_ALLOWED_BYTES = 1024**2  # bytes


@dataclass(frozen=True)
class Line:
    """Line of a job: versions of format and fio, figures and disk counters.

    `number`: in the text, from 1; `below`: disks on a separate following line, as for clients.
    """

    text: str
    version: tuple[str, str]
    name: str
    group: int
    parts: dict[str, Part]
    disks: tuple[tuple[str, ...], ...]
    failure: str = ""
    number: int = 0
    below: tuple[str, ...] = ()
    whole: Whole = field(default_factory=Whole)
    devices: tuple[Values, ...] = ()

    @property
    def job(self) -> tuple[str, int]:
        """Return name and group of the job."""
        return (self.name, self.group)

    @property
    def names(self) -> list[str]:
        """Return the names of the disks."""
        return [*(disk[0] for disk in self.disks), *self.below]


@dataclass
class Report:
    """Lines that were printed at once; `remarks`: fio's own messages around them."""

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def accepts(self, line: Line) -> bool:
        """Return True if a line may be the report's next one."""
        last = self.lines[-1]
        if last.name == ALL_CLIENTS:
            return False  # the sum of all clients is the last line
        if line.version != last.version or line.group < last.group or line.disks != last.disks:
            return False
        if line.parts and line.text in [each.text for each in self.lines]:
            return False  # the same report pasted twice
        again = line.job != last.job and line.job in [each.job for each in self.lines]
        return _has_disk_counters(line) or not again

    @property
    def has_sum(self) -> bool:
        """Return True if the last line is the sum of several clients (client.c)."""
        return self.lines[-1].name == ALL_CLIENTS

    @property
    def jobs(self) -> list[Line]:
        """Return the lines without the sum of all clients, unless it is the only line."""
        return [line for line in self.lines if line.name != ALL_CLIENTS] or self.lines

    @property
    def ambiguous(self) -> list[tuple[str, int]]:
        """Return jobs with several lines that may belong to several calls."""
        if self.has_sum:
            return []
        jobs = [line.job for line in self.lines if not _has_disk_counters(line)]
        return [job for job in dict.fromkeys(jobs) if jobs.count(job) > 1]


def disks_of(rest: str) -> tuple[tuple[str, ...], ...]:
    """Return the disks after the shares of a line: name and counters."""
    return tuple(result.groups()[:-1] for result in _DISK.finditer(rest))


def disk_values(rest: str) -> tuple[Values, ...]:
    """Return the counters of the disks after the shares, by the names of fio's documents."""
    return tuple(_disk(*result.groups()) for result in _DISK.finditer(rest))


def _disk(name: str, *figures: str) -> Values:
    counters = zip(_COUNTERS, map(int, figures[:-1]), strict=True)
    return {"name": name, **dict(counters), "util": float(figures[-1])}


def reports(lines: Sequence[Line]) -> list[Report]:
    """Return the reports, each with the lines printed at once."""
    result: list[Report] = []
    for line in lines:
        if result and result[-1].accepts(line) and not _is_full(result):
            result[-1].lines.append(line)
        else:
            result.append(Report([line]))
    return result


def _is_full(reports_before: Sequence[Report]) -> bool:
    """Return True if the last report continues the previous one and has as many lines."""
    return (
        len(reports_before) > 1
        and len(reports_before[-1].lines) == len(reports_before[-2].lines)
        and is_later_report(reports_before[-2], reports_before[-1])
    )


def last_reports(all_reports: Sequence[Report]) -> list[Report]:
    """Return the last report of each call."""
    return [
        report
        for index, report in enumerate(all_reports)
        if index + 1 == len(all_reports) or not is_later_report(report, all_reports[index + 1])
    ]


def is_later_report(before: Report, after: Report) -> bool:
    """Return True if `after` is a later report of the same call.

    It has the same jobs, no counter decreased, and the growth is possible in the time.
    """
    if [each.text for each in before.lines] == [each.text for each in after.lines]:
        return True
    pairs = list(zip(before.lines, after.lines, strict=False))
    if [each.job for each in before.lines] != [each.job for each in after.lines]:
        return False
    return all(_grew(old, new) for old, new in pairs) and any(
        _ran(old, new) > 0 for old, new in pairs
    )


def _has_disk_counters(line: Line) -> bool:
    """Return True if the line has disk counters, which identify its report."""
    return any(set(disk[1:]) != {"0"} for disk in line.disks)


def _ran(old: Line, new: Line) -> float:
    return max(
        (
            part.runtime - (old.parts[name].runtime if name in old.parts else 0)
            for name, part in new.parts.items()
        ),
        default=0,
    )


def _grew(old: Line, new: Line) -> bool:
    if old.version != new.version or not _disks_grew(old.disks, new.disks):
        return False
    return all(
        name in new.parts and _part_grew(part, new.parts[name]) for name, part in old.parts.items()
    )


def _disks_grew(old: Sequence[tuple[str, ...]], new: Sequence[tuple[str, ...]]) -> bool:
    if [disk[0] for disk in old] != [disk[0] for disk in new]:
        return False
    return all(
        int(less) <= int(more)
        for one, other in zip(old, new, strict=True)
        for less, more in zip(one[1:], other[1:], strict=True)
    )


def _part_grew(old: Part, new: Part) -> bool:
    ran, transferred = new.runtime - old.runtime, new.transferred - old.transferred
    if ran < 0 or transferred < 0 or not _outwards(old, new):
        return False
    rate = old.transferred / old.runtime if old.runtime else 0
    return ran >= _MIN_INTERVAL_SECONDS or transferred <= _MAX_SPEEDUP * rate * ran + _ALLOWED_BYTES


def _outwards(old: Part, new: Part) -> bool:
    """Return True if minimum and maximum latency stayed or moved outwards."""
    one, other = old.phases["clat"].latency, new.phases["clat"].latency
    return (other.min or 0) <= (one.min or 0) and (other.max or 0) >= (one.max or 0)

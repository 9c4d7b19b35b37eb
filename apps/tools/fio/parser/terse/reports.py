"""fio's terse lines -> the reports they were printed in, and the calls of fio those belong to.

Lines that fio prints at once end with the same counters of the disks. With --status-interval they
are printed again and again while their counters grow. A name that comes again may be a further job
of the same report (numjobs); without disks nothing tells it from another call of fio.
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
UNTOLD = (
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
_INTERVAL = 0.9  # seconds: fio takes whole ones, and a report may come early
_FASTER = 3
_SMALL = 1024**2  # bytes


@dataclass(frozen=True)
class Line:
    """A job's line: its version of the format and of fio, and the counters of the disks. `number`:
    its place in the text, from 1; `below`: disks on a line of their own behind it, as of clients.
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
        """The job that the line is about."""
        return (self.name, self.group)

    @property
    def names(self) -> list[str]:
        """The names of the disks."""
        return [*(disk[0] for disk in self.disks), *self.below]


@dataclass
class Report:
    """Lines that were printed at once. `remarks`: fio's own sentences before or behind them."""

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def takes(self, line: Line) -> bool:
        """Whether a line may be the report's next one."""
        last = self.lines[-1]
        if last.name == ALL_CLIENTS:
            return False  # nothing follows the sum of all clients
        if line.version != last.version or line.group < last.group or line.disks != last.disks:
            return False
        if line.parts and line.text in [each.text for each in self.lines]:
            return False  # the same report pasted twice
        again = line.job != last.job and line.job in [each.job for each in self.lines]
        return _told(line) or not again

    @property
    def has_sum(self) -> bool:
        """Whether its last line is the sum of several clients (client.c)."""
        return self.lines[-1].name == ALL_CLIENTS

    @property
    def jobs(self) -> list[Line]:
        """The lines without the sum of all clients; the sum where it stands alone."""
        return [line for line in self.lines if line.name != ALL_CLIENTS] or self.lines

    @property
    def untold(self) -> list[tuple[str, int]]:
        """Jobs with several lines that might be several calls'."""
        if self.has_sum:
            return []
        jobs = [line.job for line in self.lines if not _told(line)]
        return [job for job in dict.fromkeys(jobs) if jobs.count(job) > 1]


def disks_of(rest: str) -> tuple[tuple[str, ...], ...]:
    """The disks behind the shares of a line: name and counters."""
    return tuple(found.groups()[:-1] for found in _DISK.finditer(rest))


def disk_values(rest: str) -> tuple[Values, ...]:
    """The counters of the disks behind the shares of a line, by the names of fio's documents."""
    return tuple(_disk(*found.groups()) for found in _DISK.finditer(rest))


def _disk(name: str, *figures: str) -> Values:
    counters = zip(_COUNTERS, map(int, figures[:-1]), strict=True)
    return {"name": name, **dict(counters), "util": float(figures[-1])}


def reports(lines: Sequence[Line]) -> list[Report]:
    """The lines, those printed at once together."""
    found: list[Report] = []
    for line in lines:
        if found and found[-1].takes(line) and not _is_full(found):
            found[-1].lines.append(line)
        else:
            found.append(Report([line]))
    return found


def _is_full(found: Sequence[Report]) -> bool:
    """Whether the last report goes on with the one before it and has as many lines."""
    return (
        len(found) > 1
        and len(found[-1].lines) == len(found[-2].lines)
        and goes_on(found[-2], found[-1])
    )


def last_reports(found: Sequence[Report]) -> list[Report]:
    """The last report of each call."""
    return [
        report
        for place, report in enumerate(found)
        if place + 1 == len(found) or not goes_on(report, found[place + 1])
    ]


def goes_on(before: Report, after: Report) -> bool:
    """Whether `after` is a later report of the same call: the same jobs, every counter as large or
    larger, and no more in a moment than was possible.
    """
    if [each.text for each in before.lines] == [each.text for each in after.lines]:
        return True
    pairs = list(zip(before.lines, after.lines, strict=False))
    if [each.job for each in before.lines] != [each.job for each in after.lines]:
        return False
    return all(_grew(old, new) for old, new in pairs) and any(
        _ran(old, new) > 0 for old, new in pairs
    )


def _told(line: Line) -> bool:
    """Whether the counters of its disks tell when a line was printed."""
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
    ran, moved = new.runtime - old.runtime, new.transferred - old.transferred
    if ran < 0 or moved < 0 or not _outwards(old, new):
        return False
    usual = old.transferred / old.runtime if old.runtime else 0
    return ran >= _INTERVAL or moved <= _FASTER * usual * ran + _SMALL


def _outwards(old: Part, new: Part) -> bool:
    """Whether the shortest and the longest latency are those of before or further out."""
    one, other = old.phases["clat"].latency, new.phases["clat"].latency
    return (other.min or 0) <= (one.min or 0) and (other.max or 0) >= (one.max or 0)

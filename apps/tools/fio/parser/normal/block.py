"""Parser of one job's block in fio's text output."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from apps.tools.fio.parser.direction import MIXED, OPERATIONS, SYNC, Part, Phase
from apps.tools.fio.parser.syncs import sync_part
from apps.tools.fio.parser.tables import Whole
from apps.tools.messages import message
from apps.tools.parse_result import Latency
from apps.tools.values import Values

from . import patterns as pattern
from .description import Description
from .figures import (
    SAMPLE_NAMES,
    DirectionFigures,
    Syncs,
    clock,
    latency_pairs,
    phases_of,
    sample_unit,
    shares,
    short_operations,
    steady_state,
)
from .printed import Line, close
from .units import NANOSECONDS, counted, pairs

_UNITS = {"nsec": "latency_ns", "usec": "latency_us", "msec": "latency_ms"}


@dataclass
class Block:
    """Job, or group of jobs reported together, parsed line by line.

    - `printed_at`: seconds by the clock of the host that ran it, in its time zone.
    - `client`: the host that reported it to `fio --client`.
    - `members`: descriptions of its sections; `sections`: their indices among the announcements.
    - `many`: fio started several jobs of one of its sections.
    - `closed`: its last line was parsed.
    - `errors`: number and first code of errors after which it continued (continue_on_error).
    """

    name: str
    group: int
    jobs: int
    pid: str
    printed_at: float | None = None
    client: str = ""
    members: list[Description] = field(default_factory=list)
    sections: tuple[int, ...] = ()
    many: bool = False
    closed: bool = False
    errors: tuple[int, int] = (0, 0)
    failures: list[str] = field(default_factory=list)
    values: Values = field(default_factory=dict)
    _directions: dict[str, DirectionFigures] = field(default_factory=dict)
    _syncs: Syncs = field(default_factory=Syncs)
    _latencies: dict[str, dict[str, float]] = field(default_factory=dict)
    _issued: dict[str, int] = field(default_factory=dict)
    _current: DirectionFigures | None = None
    _percentiles: tuple[dict[str, float], int] | None = None

    @classmethod
    def read(cls, match: re.Match[str], client: str = "") -> Block:
        """Return the block of a line such as "name: (groupid=0, jobs=1): err= 0: pid=22055"."""
        block = cls(
            match["name"].strip(),
            int(match["group"]),
            int(match["jobs"]),
            match["pid"],
            clock(match["date"]),
            client,
        )
        if int(match["error"]):
            code, reason = match["error"], match["reason"]
            block.failures.append(
                message("fio reports error %(code)s (%(why)s).", code=code, why=reason)
                if reason
                else message("fio reports error %(code)s.", code=code)
            )
        return block

    @property
    def identity(self) -> tuple[int, str, str, str]:
        """Return a key that is equal in every report of the same process."""
        return (self.group, self.name, self.pid, self.client)

    @property
    def directions(self) -> list[str]:
        """Return the directions with figures."""
        return list(self._directions)

    @property
    def operations(self) -> list[str]:
        """Return the directions, and "sync" if there were syncs."""
        return [*self._directions, *([SYNC] if self._syncs.latency else [])]

    @property
    def whole(self) -> Whole:
        """Return the figures of all directions together."""
        seconds = [figures.line.seconds for figures in self._directions.values()]
        return Whole(
            {**self.values, **self._latencies},
            sum(self._issued.values()),
            max(seconds, default=0.0),
        )

    def direction(self, match: re.Match[str]) -> None:
        """Start a direction with its result line."""
        self._current = DirectionFigures(Line.read(match), match[0])
        self._directions[match["operation"]] = self._current
        self._percentiles = None

    def has(self, match: re.Match[str]) -> bool:
        """Return True if the direction of a result line was parsed before."""
        return match["operation"] in self._directions

    def repeats(self, match: re.Match[str]) -> bool:
        """Return True if an identical result line was parsed before."""
        return self.has(match) and self._directions[match["operation"]].text == match[0]

    def figure(self, line: str) -> bool:
        """Parse any other line of the block; return False if it is none."""
        if self._percentiles is not None and (rows := pattern.PERCENTILE.findall(line)):
            self._add_percentiles(rows)
            return True
        return self._latency(line) or self._sampled(line) or self._closing(line)

    def _add_percentiles(self, rows: list[tuple[str, str]]) -> None:
        target, unit = self._percentiles or ({}, 1)
        for percentage, text in rows:
            value = counted(text)
            if value is not None and 0 < float(percentage) <= 100:
                target[f"{float(percentage):.6f}".rstrip("0").rstrip(".")] = value * unit

    def _latency(self, line: str) -> bool:
        if match := pattern.PERCENTILES.search(line):
            percentiles: dict[str, float] = {}
            if match["phase"] == SYNC:
                self._syncs.percentiles = percentiles
            elif self._current:
                self._current.percentiles[match["phase"]] = percentiles
            self._percentiles = (percentiles, NANOSECONDS[match["unit"]])
        elif match := pattern.PHASE.search(line):
            if self._current:
                self._current.phases[match["phase"]] = latency_pairs(match)
        elif match := pattern.SYNC.search(line):
            self._syncs.latency = latency_pairs(match)
            # Following lines belong to the syncs, not to a direction.
            self._current = None
        else:
            return False
        return True

    def _sampled(self, line: str) -> bool:
        if match := pattern.BANDWIDTH.search(line):
            unit, prefix = sample_unit(match["unit"], self._current), "bandwidth"
        elif match := pattern.IOPS.search(line):
            unit, prefix = 1, "iops"
        else:
            return False
        samples = pairs(match["pairs"], 1)
        for name, label in SAMPLE_NAMES.items():
            if self._current and name in samples:
                value = samples[name]
                self._current.samples[f"{prefix}_{label}"] = (
                    value if name == "samples" else round(value * unit, 6)
                )
        return True

    def _closing(self, line: str) -> bool:
        """Parse the lines below the directions, which belong to the whole job."""
        if match := pattern.ISSUED.search(line):
            self._syncs.operations = int(match["sync"] or 0)
            short = short_operations(match["rest"])
            self._issued = {name: int(match[name]) for name in OPERATIONS if name not in short}
            self.closed = True
        elif match := pattern.SHARES.search(line):
            self._latencies.setdefault(_UNITS[match["unit"]], {}).update(shares(match["shares"]))
        elif match := pattern.CPU.search(line):
            names = {"usr": "usr_cpu", "sys": "sys_cpu"}
            shares_of_cpu = pairs(match["pairs"].replace("%", ""))
            self.values |= {names.get(k, k): v for k, v in shares_of_cpu.items() if v < 2**62}
        elif match := pattern.DEPTHS.search(line):
            self.values["iodepth_level"] = shares(match["shares"])
        elif match := pattern.ERRORS.search(line):
            self.errors = (int(match["number"]), int(match["code"]))
        elif match := pattern.STEADY.search(line):
            self.values["steadystate"] = steady_state(match)
        elif pattern.LATENCY_TARGET.search(line):
            self.closed = True
        else:
            return False
        return True

    def part(self, operation: str) -> Part:
        """Return the operation's figures in canonical units, exact if the text allows it."""
        if operation == SYNC:
            latency = Latency(**self._syncs.latency, percentiles=self._syncs.percentiles)
            calls = self._syncs.operations
            return sync_part(self.name, Phase(latency, calls), calls, self.whole.seconds)
        figures = self._directions[operation]
        line = self._line(operation)
        if operation == MIXED and not line.first.value and len(self._directions) > 1:
            return self._sum(figures)
        operations, size = self._operations(operation), self._size(operation)
        iops, bandwidth = line.operations_per_second(operations, size), line.bandwidth()
        if not operations or iops != operations / (line.seconds or 1):
            operations = 0
        exact = operations * (size or 0) / line.seconds if line.seconds else 0.0
        is_exact = close(exact, bandwidth)
        return Part(
            job=self.name,
            operations=operations,
            transferred=operations * (size or 0) if is_exact else int(line.bytes_moved()),
            runtime=line.seconds,
            bandwidth=exact if is_exact else bandwidth,
            iops=iops,
            phases=phases_of(figures, operations),
            values=figures.samples,
        )

    def _line(self, operation: str) -> Line:
        """Return the result line, before 3.0 in the base that fits the operations."""
        figures = self._directions[operation]
        line, size = figures.line, self._size(operation)
        old = pattern.OLD_DIRECTION.search(figures.text)
        if old and size and line.seconds:
            exact = self._operations(operation) * size / line.seconds
            decimal = Line.read(old, 1000)
            if not close(exact, line.bandwidth()) and close(exact, decimal.bandwidth()):
                return decimal
        return line

    def _operations(self, operation: str) -> int:
        """Return the number of operations that fio printed; 0 if unknown."""
        if operation == MIXED and len(self._issued) == len(OPERATIONS):
            return sum(self._issued.values())
        return self._issued.get(operation, 0)

    def _sum(self, figures: DirectionFigures) -> Part:
        """Return the sum of all directions (unified_rw_reporting=both).

        fio prints its latencies, but rates of zero.
        """
        parts = [self.part(name) for name in self._directions if name != MIXED]
        counted = all(part.operations for part in parts)
        operations = sum(part.operations for part in parts) if counted else 0
        transferred_bytes, seconds = sum(part.transferred for part in parts), figures.line.seconds
        rates = sum(part.iops or 0.0 for part in parts)
        return Part(
            job=self.name,
            operations=operations,
            transferred=transferred_bytes,
            runtime=seconds,
            bandwidth=transferred_bytes / seconds if seconds else None,
            iops=operations / seconds if operations and seconds else rates,
            phases=phases_of(figures, operations),
            values=figures.samples,
        )

    def _size(self, operation: str) -> int | None:
        """Return the bytes per operation; 0 if they differ, None if unknown."""
        sizes = {each.sizes.get(operation, 0) for each in self.members}
        return (sizes.pop() if len(sizes) == 1 else 0) if sizes else None

    def printed(self, operation: str) -> Values:
        """Return fio's own rounded figures; empty for syncs."""
        if operation == SYNC:
            return {}
        line = self._line(operation)
        return {
            "printed": {
                "bandwidth": line.first.value,
                "iops": line.iops.value,
                "transferred": line.transferred.value,
            }
        }

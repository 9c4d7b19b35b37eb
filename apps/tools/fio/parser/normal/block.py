"""One job's block in fio's text output."""

from __future__ import annotations

import calendar
import re
import time
from dataclasses import dataclass, field

from apps.tools.base import Latency
from apps.tools.fio.parser.direction import OPERATIONS, SYNC, Part, Phase
from apps.tools.fio.parser.syncs import sync_part
from apps.tools.fio.parser.tables import Whole
from apps.tools.sentences import sentence
from apps.tools.values import Parameters, Values

from . import patterns as pattern
from .printed import Line, close
from .units import NANOSECONDS, amount, counted, pairs

_RANGE = re.compile(r"([\d.]+[KMGT]?i?B?)-([\d.]+[KMGT]?i?B?)")
_LATENCY_NAMES = {"min": "min", "avg": "mean", "max": "max", "stdev": "stddev"}
_SAMPLE_NAMES = {**_LATENCY_NAMES, "samples": "samples"}
_UNITS = {"nsec": "latency_ns", "usec": "latency_us", "msec": "latency_ms"}


@dataclass(frozen=True)
class Description:
    """fio's description of a job before it starts it. `sizes`: bytes per operation, where there is
    one size only.
    """

    params: Parameters
    sizes: dict[str, int]

    @classmethod
    def read(cls, match: re.Match[str]) -> Description:
        """From a line such as "name: (g=0): rw=randread, bs=4K-4K/4K-4K, ioengine=libaio,
        iodepth=4"."""
        sizes: dict[str, int] = {}
        for operation, (low, high) in zip(OPERATIONS, _RANGE.findall(match["bs"]), strict=False):
            size = amount(low)
            if low == high and size:
                sizes[operation] = int(size)
        params: Parameters = {"rw": match["rw"]}
        if len(set(sizes.values())) == 1:
            params["bs"] = next(iter(sizes.values()))
        return cls(
            params | {"ioengine": match["ioengine"], "iodepth": int(match["iodepth"])}, sizes
        )


@dataclass
class DirectionFigures:
    """Printed figures of one direction of a job."""

    line: Line
    phases: dict[str, dict[str, float]] = field(default_factory=dict)
    percentiles: dict[str, dict[str, float]] = field(default_factory=dict)
    samples: Values = field(default_factory=dict)


@dataclass
class Syncs:
    """Printed figures of a job's syncs. `operations`: calls of fsync; 0: unknown."""

    latency: dict[str, float] = field(default_factory=dict)
    percentiles: dict[str, float] = field(default_factory=dict)
    operations: int = 0


@dataclass
class Block:
    """A job, or a group of jobs reported together, line by line. `printed_at`: by the clock of
    whoever ran it, in seconds, whatever its zone."""

    name: str
    group: int
    jobs: int
    pid: str
    description: Description | None
    printed_at: float | None = None
    failures: list[str] = field(default_factory=list)
    values: Values = field(default_factory=dict)
    _directions: dict[str, DirectionFigures] = field(default_factory=dict)
    _syncs: Syncs = field(default_factory=Syncs)
    _latencies: dict[str, dict[str, float]] = field(default_factory=dict)
    _issued: dict[str, int] = field(default_factory=dict)
    _current: DirectionFigures | None = None
    _percentiles: tuple[dict[str, float], int] | None = None

    @classmethod
    def read(cls, match: re.Match[str], description: Description | None) -> Block:
        """From a line such as "name: (groupid=0, jobs=1): err= 0: pid=22055"."""
        block = cls(
            match["name"].strip(),
            int(match["group"]),
            int(match["jobs"]),
            match["pid"],
            description,
            _clock(match["date"]),
        )
        if int(match["error"]):
            code, why = match["error"], match["reason"]
            block.failures.append(
                sentence("fio reports error %(code)s (%(why)s).", code=code, why=why)
                if why
                else sentence("fio reports error %(code)s.", code=code)
            )
        return block

    @property
    def identity(self) -> tuple[int, str, str]:
        """The same in every report of the same process."""
        return (self.group, self.name, self.pid)

    @property
    def directions(self) -> list[str]:
        """Directions that have figures."""
        return list(self._directions)

    @property
    def operations(self) -> list[str]:
        """The directions, then the syncs if there were any."""
        return [*self._directions, *([SYNC] if self._syncs.latency else [])]

    @property
    def whole(self) -> Whole:
        """Figures that belong to all directions together."""
        seconds = [figures.line.seconds for figures in self._directions.values()]
        return Whole(
            {**self.values, **self._latencies},
            sum(self._issued.values()),
            max(seconds, default=0.0),
        )

    @property
    def params(self) -> Parameters:
        """The parameters the text tells."""
        return (self.description.params if self.description else {}) | (
            {"numjobs": self.jobs} if self.pid else {}
        )

    def direction(self, match: re.Match[str]) -> None:
        """Begin a direction with its result line."""
        self._current = DirectionFigures(Line.read(match))
        self._directions[match["operation"]] = self._current
        self._percentiles = None

    def figure(self, line: str) -> bool:
        """Take any other line of the block; False if it is none."""
        if self._percentiles is not None and (found := pattern.PERCENTILE.findall(line)):
            self._add_percentiles(found)
            return True
        return self._latency(line) or self._sampled(line) or self._closing(line)

    def _add_percentiles(self, found: list[tuple[str, str]]) -> None:
        target, unit = self._percentiles or ({}, 1)
        for percentage, text in found:
            value = counted(text)
            if value is not None and 0 < float(percentage) <= 100:
                target[f"{float(percentage):.6f}".rstrip("0").rstrip(".")] = value * unit

    def _latency(self, line: str) -> bool:
        if match := pattern.PERCENTILES.search(line):
            found: dict[str, float] = {}
            if match["phase"] == SYNC:
                self._syncs.percentiles = found
            elif self._current:
                self._current.percentiles[match["phase"]] = found
            self._percentiles = (found, NANOSECONDS[match["unit"]])
        elif match := pattern.PHASE.search(line):
            if self._current:
                self._current.phases[match["phase"]] = _latency_pairs(match)
        elif match := pattern.SYNC.search(line):
            self._syncs.latency = _latency_pairs(match)
            # What follows belongs to the syncs, no longer to a direction.
            self._current = None
        else:
            return False
        return True

    def _sampled(self, line: str) -> bool:
        if match := pattern.BANDWIDTH.search(line):
            unit, prefix = amount("1" + match["unit"]) or 1, "bandwidth"
        elif match := pattern.IOPS.search(line):
            unit, prefix = 1, "iops"
        else:
            return False
        found = pairs(match["pairs"], 1)
        for name, label in _SAMPLE_NAMES.items():
            if self._current and name in found:
                value = found[name]
                self._current.samples[f"{prefix}_{label}"] = (
                    value if name == "samples" else round(value * unit, 6)
                )
        return True

    def _closing(self, line: str) -> bool:
        """The lines below the directions, which belong to the whole job."""
        if match := pattern.ISSUED.search(line):
            self._syncs.operations = int(match["sync"] or 0)
            short = _short(match["rest"])
            self._issued = {name: int(match[name]) for name in OPERATIONS if name not in short}
        elif match := pattern.SHARES.search(line):
            self._latencies.setdefault(_UNITS[match["unit"]], {}).update(_shares(match["shares"]))
        elif match := pattern.CPU.search(line):
            names = {"usr": "usr_cpu", "sys": "sys_cpu"}
            found = pairs(match["pairs"].replace("%", ""))
            self.values |= {names.get(k, k): v for k, v in found.items() if v < 2**62}
        elif match := pattern.DEPTHS.search(line):
            self.values["iodepth_level"] = _shares(match["shares"])
        else:
            return False
        return True

    def part(self, operation: str) -> Part:
        """The operation's figures in canonical units, exact where the text allows it."""
        if operation == SYNC:
            latency = Latency(**self._syncs.latency, percentiles=self._syncs.percentiles)
            calls = self._syncs.operations
            return sync_part(self.name, Phase(latency, calls), calls, self.whole.seconds)
        figures = self._directions[operation]
        line, operations, size = figures.line, self._issued.get(operation, 0), self._size(operation)
        iops, bandwidth = line.operations_a_second(operations, size), line.bandwidth()
        if not operations or iops != operations / (line.seconds or 1):
            operations = 0
        exact = operations * (size or 0) / line.seconds if line.seconds else 0.0
        known = close(exact, bandwidth)
        return Part(
            job=self.name,
            operations=operations,
            transferred=operations * (size or 0) if known else int(line.bytes_moved()),
            runtime=line.seconds,
            bandwidth=exact if known else bandwidth,
            iops=iops,
            phases=_phases(figures, operations),
            values=figures.samples,
        )

    def _size(self, operation: str) -> int | None:
        """Bytes per operation; 0 where they differ, None where nothing describes the job."""
        return self.description.sizes.get(operation, 0) if self.description else None

    def printed(self, operation: str) -> Values:
        """fio's own rounded figures; empty for syncs."""
        if operation == SYNC:
            return {}
        line = self._directions[operation].line
        return {
            "printed": {
                "bandwidth": line.binary.value,
                "iops": line.iops.value,
                "transferred": line.transferred.value,
            }
        }


def _clock(date: str | None) -> float | None:
    """ "Wed Oct 10 22:51:54 2018" (ctime) as seconds; None where it is none."""
    try:
        return calendar.timegm(time.strptime(date)) if date else None
    except ValueError:
        return None


def _short(text: str) -> set[str]:
    """The directions that had short operations, from "short=0,0,0,0" or "short=r=0/w=0/d=0"."""
    match = pattern.SHORT.search(text)
    counts = re.findall(r"\d+", match[1]) if match else []
    return {name for name, count in zip(OPERATIONS, counts, strict=False) if int(count)}


def _latency_pairs(match: re.Match[str]) -> dict[str, float]:
    found = pairs(match["pairs"], NANOSECONDS[match["unit"]])
    return {label: found[name] for name, label in _LATENCY_NAMES.items() if name in found}


def _shares(text: str) -> dict[str, float]:
    """Percentages by bucket, without empty ones."""
    return {name: float(share) for name, share in pattern.SHARE.findall(text) if float(share)}


def _phases(figures: DirectionFigures, operations: int) -> dict[str, Phase]:
    phases: dict[str, Phase] = {}
    for name in ("slat", "clat", "lat"):
        found: dict[str, float] = figures.phases.get(name, {})
        latency = Latency(**found, percentiles=figures.percentiles.get(name, {}))
        phases[name] = Phase(latency, operations if found else 0)
    return phases

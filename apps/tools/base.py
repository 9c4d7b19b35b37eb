"""What every tool room offers: typed parameters, a procedure to run, and a parser of what came out.

Canonical units everywhere: bytes, bytes per second, operations per second, nanoseconds, seconds for
durations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

JSON = dict[str, Any]
Completeness = Literal["whole", "partial", "unknown"]


class ToolError(Exception):
    """The tool said no: it failed, and this is what it said."""


class OutputError(Exception):
    """benchlab could not read what the tool printed (or it printed nothing)."""


class ParamsError(ValueError):
    """Parameters a plan may not have: `errors` maps a parameter's name to one clear sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {text}" for name, text in errors.items()))
        self.errors = dict(errors)


@dataclass(frozen=True)
class Field:
    """One parameter as people meet it: in a form, in the API's schema, in docs.

    `kind`: "size" and "duration" are typed by people with suffixes (4k, 1G; 30s, 5m) and kept as
    bytes and seconds; "choice" takes one of `choices`; "flag" is true or false; "name" is
    `[A-Za-z0-9_-]{1,32}`.
    """

    kind: Literal["int", "size", "duration", "choice", "flag", "name", "cpus"]
    label: str
    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    group: str = "Basics"
    optional: bool = False


class Params(Protocol):
    """A frozen dataclass in `<room>/params.py`: one point of a sweep, every value canonical."""

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The parameters a plan may set, in the order a form shows them."""

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> Params:
        """One point from what a person or script wrote ("4k", "128", 300). Raises ParamsError."""

    def canonical(self) -> JSON:
        """Every parameter that changes the measurement, defaults included, canonical units: the
        workload's identity."""

    def describe(self) -> str:
        """A short label for people: "randwrite 4 KiB, depth 128, 1 job"."""


@dataclass(frozen=True)
class Target:
    """What a test exercises. The agent replaces the word `{target}` inside arguments by the device
    node or directory that carries this identity on the host at that moment; nobody else knows a
    `/dev` name."""

    kind: Literal["disk", "directory"]
    identity: str
    size: int | None = None


@dataclass(frozen=True)
class Command:
    """One process on one host. `argv` is data: it never passes through a shell. The working
    directory is the attempt's job folder, so output files are plain names."""

    role: str
    argv: tuple[str, ...]
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Procedure:
    """What to run for one case, in order.

    `seconds`: expected duration without set-up; `writes`: true unless every command can only read;
    `bytes_written`: expected bytes written to the target, None if it cannot be told before the run;
    `space_needed`: bytes of files a directory must have room for.
    """

    commands: tuple[Command, ...]
    seconds: float
    writes: bool
    bytes_written: int | None = None
    space_needed: int = 0


@dataclass(frozen=True)
class Output:
    """Everything an attempt left behind: file name -> bytes ("stdout" and "stderr" always among
    them)."""

    files: Mapping[str, bytes]
    exit_code: int | None = None
    params: JSON = field(default_factory=dict)


@dataclass(frozen=True)
class Latency:
    """Nanoseconds; None where the tool did not say. `percentiles` maps "99.9" to nanoseconds."""

    min: float | None = None
    mean: float | None = None
    max: float | None = None
    stddev: float | None = None
    percentiles: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Histogram:
    """A full latency distribution on fio's log-linear bins: `bins` are bin values in ns (the middle
    of the bucket, ascending), `counts` how many operations fell in each. Adding two means adding
    counts per bin."""

    bins: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Series:
    """One metric over time: value i covers `interval` seconds from `start + i * interval` after the
    tool started."""

    metric: str
    values: tuple[float | None, ...]
    start: float = 0.0
    interval: float = 1.0


@dataclass(frozen=True)
class Measurement:
    """One operation of one parameter point: totals as the measurement, parts and other figures in
    `values`."""

    operation: str
    bandwidth: float | None
    iops: float | None
    latency: Latency = field(default_factory=Latency)
    params: JSON = field(default_factory=dict)
    values: JSON = field(default_factory=dict)
    series: Sequence[Series] = ()
    histogram: Histogram | None = None


@dataclass(frozen=True)
class Parsed:
    """What a parser understood. `format` and `version` name the output's own format and the tool's
    version."""

    tool: str
    format: str
    version: str | None
    measurements: tuple[Measurement, ...]
    warnings: tuple[str, ...] = ()
    completeness: Completeness = "whole"


@dataclass(frozen=True)
class LiveSample:
    """One interval of a running tool. `seconds` is the interval's end after the tool's start; per
    operation: {"read": {"iops": .., "bandwidth": .., "latency": ..}} (1/s, bytes/s, mean ns)."""

    seconds: float
    operations: Mapping[str, Mapping[str, float]]


class Progress(Protocol):
    """Live figures: fed the bytes of `Tool.live_file` as they arrive, in pieces cut anywhere."""

    def feed(self, data: bytes) -> list[LiveSample]:
        """The samples completed by these bytes."""


class Tool(Protocol):
    """A room's face, registered in `registry.TOOLS`."""

    name: str
    label: str
    parser_version: int
    params: type[Params] | None
    packages: Mapping[str, str]
    live_file: str | None

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like this tool's output (for `parse` and imports without a tool
        name)."""

    def procedure(self, params: Params, target: Target) -> Procedure:
        """The commands for one case."""

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout". Raises ToolError or
        OutputError."""

    def progress(self) -> Progress | None:
        """A fresh reader of live output, or None if the tool has none."""

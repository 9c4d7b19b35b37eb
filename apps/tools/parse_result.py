"""Input and output of a parser: an attempt's files and its measurements.

Canonical units everywhere: bytes, bytes/s, operations/s, nanoseconds; durations in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.values import Parameters, Values

Completeness = Literal["whole", "partial", "unknown"]


@dataclass(frozen=True)
class Output:
    """Files that an attempt produced on one host.

    - `files`: file name -> bytes, always with "stdout" and "stderr". Of a host pair these are the
      client's; the server's are "server.stdout" and "server.stderr".
    - `roles`: stdout of each command by its role, where it is known.
    - `large`: chunks of the files for which `Tool.reads_in_pieces` is True, to be read once. Such a
      file is empty in `files`.
    """

    files: Mapping[str, bytes]
    exit_code: int | None = None
    params: Parameters = field(default_factory=dict)
    roles: Mapping[str, bytes] = field(default_factory=dict)
    large: Mapping[str, Iterable[bytes]] = field(default_factory=dict)


@dataclass(frozen=True)
class Latency:
    """Latency in ns; None where the output has no value. `percentiles` maps "99.9" to ns."""

    min: float | None = None
    mean: float | None = None
    max: float | None = None
    stddev: float | None = None
    percentiles: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Histogram:
    """Latency distribution on fio's log-linear bins.

    - `bins`: bin values in ns, ascending; a value is the centre of its bin.
    - `counts`: operations in each bin. Two histograms are added by adding the counts of each bin.
    """

    bins: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Windows:
    """Statistics over the values of a series. `count` is the number of values."""

    count: int
    minimum: float
    mean: float
    maximum: float
    stddev: float


@dataclass(frozen=True)
class Series:
    """One metric over time.

    Value i covers `interval` seconds from `start + i * interval` after the start of the tool.
    `windows`: statistics of the values, for an output that contains only these.
    """

    metric: str
    values: Sequence[float | None]
    start: float = 0.0
    interval: float = 1.0
    windows: Windows | None = None


@dataclass(frozen=True)
class HistogramSeries:
    """Latency distributions of consecutive intervals in coarse buckets.

    - `lows`: lower edges of the buckets in ns, ascending.
    - `counts`: a row for each interval, with a count for each bucket. Interval i covers `interval`
      seconds from `start + i * interval` after the start of the tool.
    """

    lows: tuple[int, ...]
    counts: Sequence[Sequence[int]]
    start: float = 0.0
    interval: float = 1.0


@dataclass(frozen=True)
class Measurement:
    """Totals of one operation of one parameter point; further figures are in `values`.

    - `component`: empty for the whole; "target0", "target1" ... for one of several disks or
      directories used at once. The histograms of the components add up to that of the whole.
    - `job`: the user's name of the test.
    - `group`: number of the test among consecutive tests of one output. Without parameters only
      `job` and `group` distinguish two tests.
    """

    operation: str
    bandwidth: float | None
    iops: float | None
    latency: Latency = field(default_factory=Latency)
    params: Parameters = field(default_factory=dict)
    values: Values = field(default_factory=dict)
    series: Sequence[Series] = ()
    histogram: Histogram | None = None
    over_time: HistogramSeries | None = None
    component: str = ""
    job: str = ""
    group: int | None = None
    client: str = ""
    call: int = 1
    target: str = ""
    unread_options: tuple[str, ...] = ()
    completeness: Completeness | None = None
    warnings: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None


@dataclass(frozen=True)
class Parsed:
    """Result of a parser.

    - `format`: name of the output format.
    - `version`: version of the tool.
    - `warnings`: remarks about the whole output; remarks about one result are in its measurement.
    - `completeness`: the worst of all results; applies to measurements without one of their own.
    - `started_at`, `ended_at`: seconds since 1970, if the output contains them.
    - `data_corruption`: a sentence if the tool read other data than it wrote, else empty.
    """

    tool: str
    format: str
    version: str | None
    measurements: tuple[Measurement, ...]
    warnings: tuple[str, ...] = ()
    completeness: Completeness = "whole"
    started_at: float | None = None
    ended_at: float | None = None
    data_corruption: str = ""


def all_warnings(parsed: Parsed) -> list[str]:
    """Return the remarks about the output, then those about its results, without duplicates."""
    own = [text for each in parsed.measurements for text in each.warnings]
    return list(dict.fromkeys([*parsed.warnings, *own]))

"""One host's result of one operation, on the common time axis of all hosts.

From `Measurement.values` only the common names are used: "runtime" (seconds of the operation) and
"total_ios" (operations in that time).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.tools.multi_host import overlap
from apps.tools.parse_result import Measurement, Parsed, Series


@dataclass(frozen=True)
class HostResult:
    """One host's results.

    - `start`: seconds from the first host's start to the start of this host's tool.
    - `labels`: names for the plugin's "target0", "target1" ...
    """

    host: str
    parsed: Parsed
    start: float = 0.0
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OperationResult:
    """One host's measurement of one operation."""

    host_result: HostResult
    measurement: Measurement

    @property
    def seconds(self) -> float | None:
        """Return the measured duration in seconds; None if unknown."""
        value = self.measurement.values.get("runtime")
        if isinstance(value, (int, float)) and value > 0:
            return float(value)
        lengths = [len(s.values) * s.interval for s in self.measurement.series]
        return max(lengths, default=None)

    @property
    def operations(self) -> float | None:
        """Return the number of operations behind its latency."""
        if self.measurement.histogram is not None:
            return float(sum(self.measurement.histogram.counts))
        value = self.measurement.values.get("total_ios")
        if isinstance(value, (int, float)):
            return float(value)
        if self.measurement.iops is None or self.seconds is None:
            return None
        return self.measurement.iops * self.seconds

    def rate(self, metric: str) -> float | None:
        """Return its average "bandwidth" (bytes/s) or "iops" (1/s)."""
        return self.measurement.bandwidth if metric == "bandwidth" else self.measurement.iops

    def series(self, metric: str) -> Series | None:
        """Return a series of it, on the axis from the first host's start."""
        match = next(
            (s for s in self.measurement.series if s.metric == metric and len(s.values)), None
        )
        return match and overlap.moved(match, self.host_result.start)

    def part_between(self, metric: str, begin: float, end: float) -> float | None:
        """Return the share (0 to 1) of its total between two timestamps; None if unknown.

        It is 1 if the operation ran only between them. Both are in seconds from the first host's
        start.
        """
        length, series = self.seconds or 0.0, self.series(metric)
        first = self.host_result.start
        if begin <= first and first + length <= end:
            return 1.0
        if not self.rate(metric):
            return 0.0
        if series is None or not length:
            return None
        # A series may end slightly before or after the run, so it is scaled to the run.
        scale = len(series.values) * series.interval / length
        edges = [series.start + (edge - first) * scale for edge in (begin, end)]
        return overlap.share(series, *edges)

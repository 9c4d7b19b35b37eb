"""One host's figures of one operation, on the time axis of all hosts that took part.

Of `Measurement.values` this knows what every plugin calls alike: "runtime" (seconds the operation
was measured for) and "total_ios" (operations in that time).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.tools.multi_host import overlap
from apps.tools.parse_result import Measurement, Parsed, Series


@dataclass(frozen=True)
class HostResult:
    """One host's results. `start`: seconds its tool started after the first host's; `labels`: names
    for the plugin's "target0", "target1" ...
    """

    host: str
    parsed: Parsed
    start: float = 0.0
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class OperationResult:
    """One host's figures of one operation."""

    share: HostResult
    found: Measurement

    @property
    def seconds(self) -> float | None:
        """The seconds it was measured; None if nothing says so."""
        said = self.found.values.get("runtime")
        if isinstance(said, (int, float)) and said > 0:
            return float(said)
        lengths = [len(s.values) * s.interval for s in self.found.series]
        return max(lengths, default=None)

    @property
    def operations(self) -> float | None:
        """The number of operations its latency is of."""
        if self.found.histogram is not None:
            return float(sum(self.found.histogram.counts))
        said = self.found.values.get("total_ios")
        if isinstance(said, (int, float)):
            return float(said)
        if self.found.iops is None or self.seconds is None:
            return None
        return self.found.iops * self.seconds

    def rate(self, metric: str) -> float | None:
        """Its average "bandwidth" or "iops"."""
        return self.found.bandwidth if metric == "bandwidth" else self.found.iops

    def series(self, metric: str) -> Series | None:
        """A series of it, counted from the first host's start on."""
        own = next((s for s in self.found.series if s.metric == metric and len(s.values)), None)
        return own and overlap.moved(own, self.share.start)

    def part_between(self, metric: str, begin: float, end: float) -> float | None:
        """The part of its total that happened between two moments (0 to 1): all of it when it ran
        just then; None if nothing tells.
        """
        length, series = self.seconds or 0.0, self.series(metric)
        first = self.share.start
        if begin <= first and first + length <= end:
            return 1.0
        if not self.rate(metric):
            return 0.0
        if series is None or not length:
            return None
        # A series may end a little before or after the run itself: it is stretched to the run.
        scale = len(series.values) * series.interval / length
        moments = [series.start + (moment - first) * scale for moment in (begin, end)]
        return overlap.share(series, *moments)

"""Content of the sweep chart: curves, panels, height. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.sweep.curve import Curve, CurvePoint
from apps.analysis.sweep.load_search.marks import LoadMarks
from apps.tools.metrics import metrics_on

PANELS = tuple(metric.key for metric in metrics_on("curve"))
PANEL_HEIGHT = 200
ROUNDING = 1e-3
MAX_SMALL_BLOCK_BYTES = 64 * 1024
"""Limit of bytes per operation up to which IOPS are shown, above it bandwidth."""


@dataclass(frozen=True)
class CurveChart:
    """Content of the chart: curves, names, x axis and marks.

    `words` formats x values. `promised`: by metric in canonical units. `network`: rates are network
    rates. `series_metrics`: requested metrics with a panel of their own. `loads`: marks of a load
    search, by curve.
    """

    curves: Sequence[Curve]
    names: Sequence[str]
    label: str
    words: Callable[[float], str]
    promised: Mapping[str, float]
    network: bool = False
    series_metrics: Sequence[str] = ()
    loads: Sequence[LoadMarks | None] = ()

    def load(self, index: int) -> LoadMarks | None:
        return self.loads[index] if index < len(self.loads) else None

    @property
    def xs(self) -> list[float]:
        return sorted({point.x for curve in self.curves for point in curve.points})

    @property
    def panels(self) -> list[str]:
        """Return the measured metrics; only one of IOPS and bandwidth if one implies the other."""
        measured = [
            m
            for m in (*PANELS, *self.series_metrics)
            if any(p.median(m) is not None for p in self._points)
        ]
        size = self._one_block_size()
        if size is None or {"iops", "bandwidth"} - set(measured):
            return measured
        hidden = "iops" if size > MAX_SMALL_BLOCK_BYTES else "bandwidth"
        return [metric for metric in measured if metric != hidden]

    @property
    def height(self) -> int:
        """Return the height of the figure in px."""
        return 110 + PANEL_HEIGHT * max(1, len(self.panels))

    @property
    def _points(self) -> list[CurvePoint]:
        return [point for curve in self.curves for point in curve.points]

    def _one_block_size(self) -> float | None:
        """Return the bytes per operation if all points have the same."""
        sizes = [
            bandwidth / iops
            for point in self._points
            if (iops := point.median("iops")) and (bandwidth := point.median("bandwidth"))
        ]
        if not sizes or max(sizes) > min(sizes) * (1 + ROUNDING):
            return None
        return sizes[0]

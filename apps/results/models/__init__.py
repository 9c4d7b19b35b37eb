"""Measurements, and the narrow table that comparisons, history and lists read."""

from apps.results.models.baselines import Baseline
from apps.results.models.figures import Figure
from apps.results.models.measurements import (
    Histogram,
    HistogramSeries,
    Measurement,
    Series,
    SeriesChunk,
)

__all__ = [
    "Baseline",
    "Figure",
    "Histogram",
    "HistogramSeries",
    "Measurement",
    "Series",
    "SeriesChunk",
]

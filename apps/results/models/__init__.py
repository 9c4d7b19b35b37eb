"""Measurements, and the narrow table that comparisons, history and lists read."""

from apps.results.models.figures import Figure
from apps.results.models.measurements import (
    Histogram,
    HistogramSeries,
    Measurement,
    Series,
    SeriesChunk,
)

__all__ = ["Figure", "Histogram", "HistogramSeries", "Measurement", "Series", "SeriesChunk"]

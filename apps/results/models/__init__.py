"""Measurements, series, result summaries, disturbances and baselines."""

from apps.results.models.baselines import Baseline
from apps.results.models.costs import AttemptCost, DiskWear
from apps.results.models.disturbances import DisturbanceRecord
from apps.results.models.measurements import (
    Histogram,
    HistogramSeries,
    Measurement,
    Series,
    SeriesChunk,
)
from apps.results.models.summaries import ResultSummary

__all__ = [
    "AttemptCost",
    "Baseline",
    "DiskWear",
    "DisturbanceRecord",
    "Histogram",
    "HistogramSeries",
    "Measurement",
    "ResultSummary",
    "Series",
    "SeriesChunk",
]

"""Summaries of windows in an output: minimum, mean, maximum and deviation of the rates.

The output has no values of the windows themselves. fio prints the summaries as `bw` and `iops` with
the number of samples. A sample is 0.5 s long unless a job sets another length. fio adds the samples
of jobs that it reports together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apps.tools.parse_result import Measurement, Series, Windows

RATES = ("iops", "bandwidth")
USUAL_SECONDS = (0.5, 1.0)
TOLERANCE = 0.1
"""A window length within this share of a usual length is taken as the usual length."""


def stated_series(measurement: Measurement, jobs: str = "") -> Iterator[Series]:
    """Yield series with a summary but no values, for rates without a series of their own.

    `jobs`: the name of the parameter with the number of jobs.
    """
    existing = {each.metric for each in measurement.series}
    for metric in RATES:
        if metric not in existing and not measurement.component:
            yield from _stated(measurement, metric, jobs)


def _stated(measurement: Measurement, metric: str, jobs_name: str) -> Iterator[Series]:
    names = ("samples", "min", "mean", "max", "stddev")
    values = (_number(measurement.values, f"{metric}_{name}") for name in names)
    figures = [figure for figure in values if figure is not None]
    seconds = _number(measurement.values, "runtime")
    if len(figures) < len(names) or not figures[0] or not seconds:
        return
    samples, *summary = figures
    jobs = _number(measurement.params, jobs_name) or 1
    windows = Windows(round(samples), *summary)
    yield Series(metric, (), interval=_length(seconds * jobs / samples), windows=windows)


def _length(seconds: float) -> float:
    usual_lengths = (usual for usual in USUAL_SECONDS if abs(seconds - usual) <= TOLERANCE * usual)
    return next(usual_lengths, float(f"{seconds:.2g}"))


def _number(values: Mapping[str, object], name: str) -> float | None:
    value = values.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

"""Windows of a test that its output only sums up: least, mean, most and deviation of the rates of
consecutive windows, without the windows' own values. Pure.

fio prints them as `bw` and `iops` with their number of samples, which are of 0.5 s unless somebody
sets another length; the samples of jobs that are reported together are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apps.tools.base import Measurement, Series, Windows

RATES = ("iops", "bandwidth")
USUAL = (0.5, 1.0)
NEAR = 0.1
"""A window this near to a usual one, as a share of it, has its length."""


def stated_series(found: Measurement, jobs: str = "") -> Iterator[Series]:
    """Series without values, of the rates whose own series the output does not have. `jobs`: the
    name of the parameter with the number of jobs.
    """
    known = {each.metric for each in found.series}
    for metric in RATES:
        if metric not in known and not found.part:
            yield from _stated(found, metric, jobs)


def _stated(found: Measurement, metric: str, jobs_name: str) -> Iterator[Series]:
    names = ("samples", "min", "mean", "max", "stddev")
    known = (_number(found.values, f"{metric}_{name}") for name in names)
    figures = [figure for figure in known if figure is not None]
    seconds = _number(found.values, "runtime")
    if len(figures) < len(names) or not figures[0] or not seconds:
        return
    samples, *extent = figures
    jobs = _number(found.params, jobs_name) or 1
    windows = Windows(round(samples), *extent)
    yield Series(metric, (), interval=_length(seconds * jobs / samples), windows=windows)


def _length(seconds: float) -> float:
    near = (usual for usual in USUAL if abs(seconds - usual) <= NEAR * usual)
    return next(near, float(f"{seconds:.2g}"))


def _number(values: Mapping[str, object], name: str) -> float | None:
    value = values.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

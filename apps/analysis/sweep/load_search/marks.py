"""Marks of a load search on the curves: tested values and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.sweep.curve import Curve
from apps.analysis.sweep.load_search.findings import search_message
from apps.analysis.sweep.load_search.search import Load, Search
from apps.analysis.sweep.load_search.selectors import searches_of
from apps.common.domain.messages import localize_message
from apps.runs.models import Run


@dataclass(frozen=True)
class LoadMarks:
    """Marks of one curve.

    `largest`: load that meets the expectations, or None; `held`: by tested value whether it meets
    them; `label`: the sentence of the search.
    """

    largest: float | None
    held: Mapping[float, bool]
    label: str


def marks_of(
    runs: Sequence[Run], x: str, curves: Sequence[Curve], cases: Mapping[int, int]
) -> tuple[LoadMarks | None, ...]:
    """Return marks of each curve whose run searched the largest `x`. `cases`: by measurement."""
    searches = [
        one for run in runs if run.spec.load_search_parameter == x for one in searches_of(run, x)
    ]
    tested = {case: (one, load) for one in searches for load in one.loads for case in load.cases}
    several = len(searches) > 1
    return tuple(_marks(curve, x, cases, tested, several) for curve in curves) if tested else ()


def _marks(
    curve: Curve,
    x: str,
    cases: Mapping[int, int],
    tested: Mapping[int, tuple[Search, Load]],
    several: bool,
) -> LoadMarks | None:
    points = [tested.get(cases.get(point.measurement, 0)) for point in curve.points]
    result = [each for each in points if each is not None]
    if not result or len({id(search) for search, _load in result}) > 1:
        return None
    search = result[0][0]
    largest = float(search.largest.value) if search.largest else None
    held = {float(load.value): load.holds for _search, load in result}
    return LoadMarks(largest, held, localize_message(search_message(search, x, several)))

"""Marks of a search on the curves of its loads: which values were tried, and what was found."""

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
    """Of one curve: the largest load that holds (None where none does), by tried value whether it
    holds, and the search's own sentence.
    """

    largest: float | None
    held: Mapping[float, bool]
    label: str


def marks_of(
    runs: Sequence[Run], x: str, curves: Sequence[Curve], cases: Mapping[int, int]
) -> tuple[LoadMarks | None, ...]:
    """For each curve, where its run looked for the largest `x`. `cases`: by measurement."""
    searches = [
        one for run in runs if run.spec.load_search_parameter == x for one in searches_of(run, x)
    ]
    tried = {case: (one, load) for one in searches for load in one.loads for case in load.cases}
    several = len(searches) > 1
    return tuple(_marks(curve, x, cases, tried, several) for curve in curves) if tried else ()


def _marks(
    curve: Curve,
    x: str,
    cases: Mapping[int, int],
    tried: Mapping[int, tuple[Search, Load]],
    several: bool,
) -> LoadMarks | None:
    known = [tried.get(cases.get(point.measurement, 0)) for point in curve.points]
    found = [each for each in known if each is not None]
    if not found or len({id(search) for search, _load in found}) > 1:
        return None
    search = found[0][0]
    largest = float(search.largest.value) if search.largest else None
    held = {float(load.value): load.holds for _search, load in found}
    return LoadMarks(largest, held, localize_message(search_message(search, x, several)))

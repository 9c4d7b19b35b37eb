"""The preview of a plan that looks for the largest load: least and most cases."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from apps.plans.domain.bisection import MAX_POINTS, between, max_added
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.expectations import Expectation
from apps.plans.schemas.planned import PlannedPlan
from apps.plans.tests.factories import a_plan, a_step

EXPECTED = (Expectation("latency_mean", "most", 10.0, "ms"),)


def search(*depths: int, expected: tuple[Expectation, ...] = EXPECTED) -> PlannedPlan:
    step = msgspec.structs.replace(
        a_step(rw="randread", iodepth=list(depths)), expectations=expected
    )
    return a_plan(step, repeats=3, load_search_parameter="iodepth")


def added(values: list[int], limit: int) -> int:
    """Values that a search adds where all up to `limit` hold."""
    tried = set(values)
    while True:
        low = max(value for value in tried if value <= limit)
        value = between(low, min(value for value in tried if value > limit))
        if value is None:
            return len(tried) - len(values)
        tried.add(value)


def limited(plan: PlannedPlan, hours: float) -> PlannedPlan:
    return replace(plan, spec=msgspec.structs.replace(plan.spec, load_search_max_hours=hours))


@pytest.mark.parametrize("values", [[1, 64], [8, 128], [1, 2, 4, 8, 16], [10, 1000], [4, 5]])
def test_no_search_adds_more_than_it_says(values: list[int]) -> None:
    most = max(added(values, limit) for limit in range(values[0], values[-1]))
    assert max_added(values) == most


def test_search_adds_up_to_sixteen_values() -> None:
    assert max_added(list(range(1, 100_000, 7_000))) == MAX_POINTS - 15


def test_preview_has_minimum_and_maximum() -> None:
    found = preview_of(search(1, 64))
    assert found.max_totals is not None
    assert (found.totals.cases, found.max_totals.cases) == (6, 6 + 3 * max_added([1, 64]))
    assert found.max_totals.seconds > found.seconds


def test_limit_of_time_counts_after_the_listed_values() -> None:
    free = preview_of(search(1, 64))
    assert free.max_totals is not None
    wanted = [(free.seconds + 60) / 3600, free.seconds / 7200]
    ends = []
    for hours in wanted:
        found = preview_of(limited(search(1, 64), hours))
        assert found.max_totals is not None
        ends.append(found.max_totals.seconds)
    assert ends == [pytest.approx(free.seconds + 60), free.seconds]
    assert free.max_totals.seconds > free.seconds + 60


def test_a_limit_of_time_is_one() -> None:
    found = preview_of(limited(search(1, 64), -1.0))
    assert [problem.field for problem in found.problems] == ["load_search_max_hours"]


def test_what_nothing_is_expected_of_is_not_searched() -> None:
    found = preview_of(search(1, 64, expected=()))
    assert found.max_totals is not None
    assert found.max_totals.cases == found.totals.cases

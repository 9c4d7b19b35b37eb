"""A plan that describes far too much is refused at once, however few words it takes."""

from __future__ import annotations

import pytest

from apps.plans.domain.expand import MAX_CASES, plan_expand
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.targets import PlannedHost, PlannedTarget
from apps.plans.tests.factories import a_plan
from apps.tools.errors import ParamsError
from apps.tools.sweep import sweep

HOST = PlannedHost(1, "host")
WIDE = StepSpec("fio", {"iodepth": list(range(1, 1001))})


@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_millions_of_cases_are_counted_and_not_made() -> None:
    targets = tuple(
        PlannedTarget("disk", n, f"wwn:{n}", f"d{n}", HOST, 1 << 40) for n in range(500)
    )
    expansion = plan_expand(a_plan(WIDE, WIDE, WIDE, targets=targets))
    assert expansion.cases == ()
    assert [problem.message for problem in expansion.problems] == [
        f"This plan has {3 * 1000 * 500 * 6:,} cases; at most {MAX_CASES:,} are allowed."
    ]


@pytest.mark.parametrize(
    "values", [list(range(400_000)), ",".join(map(str, range(400_000)))], ids=["list", "text"]
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_a_very_long_list_is_not_compared_value_by_value(values: object) -> None:
    with pytest.raises(ParamsError, match="400000 points"):
        sweep({"iodepth": values})


def test_equal_points_still_count_once() -> None:
    target = PlannedTarget("disk", 1, "wwn:1", "d", HOST, 1 << 40)
    step = StepSpec("fio", {"bs": ["4k", "4096", 4096], "iodepth": [1, 2]})
    assert len(plan_expand(a_plan(step, targets=(target,), repeats=1)).cases) == 2

"""Tests of a profile that restarts daemons stand together, and their restarts are counted once."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest

from apps.plans.domain.blocks import block_sizes
from apps.plans.domain.case_order import draw_block_by_tuning
from apps.plans.domain.preview import preview_of
from apps.plans.domain.restarts import restarts_around, shares_restarts
from apps.plans.schemas.plan import LISTED, StepSpec
from apps.plans.schemas.planned import PlannedPlan, PlannedTuning
from apps.plans.tests.factories import a_disk, a_plan, plan_cases
from apps.plans.tests.test_plan_cluster_options import POOL, SHARDS

PLAIN = PlannedTuning(2, "plain")
TUNED = PlannedTuning(1, "tuned", (SHARDS,))
STEPS = tuple(StepSpec("rados", {"bs": size, "seconds": 10}) for size in ("4k", "64k", "4M"))


def plan(**fields: object) -> PlannedPlan:
    return a_plan(*STEPS, **{"targets": (POOL,), "tunings": (PLAIN, TUNED), "repeats": 6} | fields)


def test_a_block_has_each_test_once_under_each_tuning() -> None:
    cases = plan_cases(plan(), seed=3)
    assert [case.block for case in cases] == [block for block in range(1, 7) for _ in range(6)]
    for _block, mine in groupby(cases, lambda case: case.block):
        rows = [(case.tuning.name, case.step) for case in mine]
        assert [step for _name, step in rows] == [0, 1, 2, 0, 1, 2]
        assert len([name for name, _rows in groupby(rows, lambda row: row[0])]) == 2
    assert {case.repeat for case in cases} == set(range(1, 7))


def test_each_tuning_is_first_in_about_half_of_the_blocks() -> None:
    first = [plan_cases(plan(repeats=1), seed=seed)[0].tuning.name for seed in range(200)]
    assert 70 < first.count("plain") < 130
    assert plan_cases(plan(), seed=5) == plan_cases(plan(), seed=5)


def test_levels_of_another_factor_are_in_random_order_within_a_tuning() -> None:
    groups = [[(tuning, "pool", level) for level in "ab" for tuning in (1, 2)]]
    orders = {
        "".join(
            level
            for tuning, _target, level in draw_block_by_tuning(
                groups, lambda row: row[:2], seed=seed, block=1
            )
            if tuning == 1
        )
        for seed in range(20)
    }
    assert orders == {"ab", "ba"}


def test_other_plans_keep_their_order() -> None:
    assert not shares_restarts(plan(tunings=(PLAIN,)))
    assert not shares_restarts(plan(targets=(replace(POOL, restarts=()),)))
    assert shares_restarts(plan())
    assert block_sizes(6, 3, 2) == [2, 2, 2]
    assert block_sizes(6, 3, 2, shares_restarts=True) == [1] * 6


@pytest.mark.parametrize(
    ("names", "counts"),
    [
        ("T", [2]),
        ("TTT", [1, 0, 1]),
        ("PTTP", [0, 1, 1, 0]),
        ("TPT", [2, 0, 2]),
        ("TdT", [1, 0, 1]),
        ("TO", [2, 2]),
        ("SSS", [2, 2, 2]),
        ("", []),
    ],
)
def test_restarts_are_around_a_row_of_cases(names: str, counts: list[int]) -> None:
    """P: plain, T: tuned, O: on another pool, S: on a pool of one host, d: a disk between them."""
    rows = {
        "P": (PLAIN, POOL),
        "T": (TUNED, POOL),
        "O": (TUNED, replace(POOL, id=2)),
        "S": (TUNED, replace(POOL, id=3, osd_hosts=POOL.osd_hosts[:1])),
        "d": (PLAIN, a_disk()),
    }
    assert restarts_around([rows[name] for name in names]) == counts


@pytest.mark.parametrize(("order", "rows"), [("interleaved", 6), (LISTED, 3)])
def test_the_preview_counts_restarts_by_rows(order: str, rows: int) -> None:
    preview = preview_of(plan(order=order))
    (row,) = preview.restarts
    assert row.count <= 2 * 3 * rows  # three OSDs; a tuning may end one block and begin the next
    assert row.seconds == 8.0 * row.count
    plain = sum(case.seconds for case in preview.cases if case.tuning is PLAIN)
    tuned = sum(case.seconds for case in preview.cases if case.tuning is TUNED)
    assert tuned - plain == pytest.approx(row.seconds)

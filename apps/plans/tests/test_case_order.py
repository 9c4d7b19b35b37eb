"""In which order the cases of a plan are executed."""

from __future__ import annotations

import pytest

from apps.plans.domain.blocks import block_sizes
from apps.plans.schemas.plan import INTERLEAVED, LISTED
from apps.plans.tests.factories import a_directory, a_disk, a_plan, a_step, plan_cases, tunings


def test_listed_goes_step_target_tuning_repeat() -> None:
    plan = a_plan(
        a_step(rw="randwrite"),
        a_step(rw="randread"),
        targets=(a_disk(), a_directory()),
        tunings=tunings("a", "b"),
        repeats=2,
        order=LISTED,
    )
    cases = plan_cases(plan, seed=1)
    order = [(c.step, c.target.kind, c.tuning.name, c.repeat) for c in cases]
    assert order[:4] == [
        (0, "disk", "a", 1),
        (0, "disk", "a", 2),
        (0, "disk", "b", 1),
        (0, "disk", "b", 2),
    ]
    assert order == sorted(order, key=lambda row: (row[0], row[1] == "directory", row[2], row[3]))
    assert [c.sequence for c in cases] == list(range(16))
    assert {c.block for c in cases} == {0}


def test_interleaved_blocks_hold_every_tuning_several_times() -> None:
    plan = a_plan(a_step(rw="randwrite"), a_step(rw="read"), tunings=tunings("a", "b", "c"))
    cases = plan_cases(plan, seed=7)
    assert len(cases) == 2 * 3 * 6
    for number, block in enumerate((cases[:12], cases[12:24], cases[24:]), 1):
        assert {c.block for c in block} == {number}
        assert [c.step for c in block] == [0] * 6 + [1] * 6
        for step in (0, 1):
            said = sorted((c.tuning.name, c.repeat) for c in block if c.step == step)
            repeats = (2 * number - 1, 2 * number)
            assert said == [(name, repeat) for name in "abc" for repeat in repeats]


def test_a_block_is_not_always_in_pairs() -> None:
    plan = a_plan(tunings=tunings("a", "b"), repeats=4)
    orders = {"".join(c.tuning.name for c in plan_cases(plan, seed=seed)[:4]) for seed in range(60)}
    assert orders == {"aabb", "abab", "abba", "baab", "baba", "bbaa"}


def test_with_one_tuning_each_repeat_is_a_block() -> None:
    plan = a_plan(a_step(rw="randwrite"), a_step(rw="read"), repeats=6)
    assert [(c.block, c.repeat, c.step) for c in plan_cases(plan, seed=1)] == [
        (block, block, step) for block in range(1, 7) for step in (0, 1)
    ]


@pytest.mark.parametrize(
    ("repeats", "tests", "sizes"),
    [
        (3, 1, [1, 1, 1]),
        (6, 1, [2, 2, 2]),
        (6, 4, [3, 3]),
        (7, 1, [3, 2, 2]),
        (12, 24, [4, 4, 4]),
    ],
)
def test_repeats_are_divided_as_equally_as_can_be(
    repeats: int, tests: int, sizes: list[int]
) -> None:
    assert block_sizes(repeats, tests, 2) == sizes


def test_the_same_seed_gives_the_same_order_and_another_seed_another() -> None:
    plan = a_plan(tunings=tunings("a", "b", "c", "d"), order=INTERLEAVED)
    first, again, other = (plan_cases(plan, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert [c.tuning.name for c in first] != [c.tuning.name for c in other]


def test_over_many_seeds_each_tuning_comes_first_about_as_often() -> None:
    plan = a_plan(tunings=tunings("a", "b"), repeats=1)
    first = [plan_cases(plan, seed=seed)[0].tuning.name for seed in range(400)]
    assert 150 < first.count("a") < 250


def test_without_tunings_there_is_one_the_host_as_found() -> None:
    cases = plan_cases(a_plan(repeats=2), seed=0)
    assert [(c.tuning.id, c.tuning.name, c.tuning.settings) for c in cases] == [
        (None, "Host defaults", ())
    ] * 2

"""In which order the cases of a plan are executed."""

from __future__ import annotations

from apps.plans.cases.data import INTERLEAVED, LISTED
from apps.plans.cases.expand import plan_cases
from apps.plans.tests.factories import a_directory, a_disk, a_plan, a_step, tunings


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
    assert [c.position for c in cases] == list(range(16))
    assert {c.block for c in cases} == {0}


def test_interleaved_repeats_are_blocks_that_hold_everything_once() -> None:
    plan = a_plan(a_step(rw="randwrite"), a_step(rw="read"), tunings=tunings("a", "b", "c"))
    cases = plan_cases(plan, seed=7)
    assert len(cases) == 2 * 3 * 6
    for repeat in range(1, 7):
        block = cases[(repeat - 1) * 6 : repeat * 6]
        assert {(c.block, c.repeat) for c in block} == {(repeat, repeat)}
        assert [c.step for c in block] == [0, 0, 0, 1, 1, 1]
        for step in (0, 1):
            assert sorted(c.tuning.name for c in block if c.step == step) == ["a", "b", "c"]


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
        (None, "As found", ())
    ] * 2

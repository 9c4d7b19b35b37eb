"""Plans that go on until it is decided between targets, hosts, or the values of a parameter: their
blocks exchange them, as those of tunings are exchanged.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from apps.plans.domain.preview import preview_of
from apps.plans.schemas.planned import PlannedCase, PlannedPlan
from apps.plans.schemas.stopping import PrecisionLimits
from apps.plans.tests.factories import a_disk, a_host, a_plan, a_step, tunings

TWO_DISKS = (a_disk(id=1, identity="wwn:1"), a_disk(id=2, identity="wwn:2"))
TWO_HOSTS = (a_disk(id=1), a_disk(id=2, identity="wwn:2", host=a_host(id=2, name="node02")))
DEPTHS = a_step(rw="randread", iodepth=[1, 8, 64])


def deciding(factor: str, *steps: Any, **kwargs: Any) -> PlannedPlan:
    return a_plan(*steps, stopping_rule=PrecisionLimits(3.0, factor), repeats=4, **kwargs)


def level(factor: str, case: PlannedCase) -> object:
    return case.params["iodepth"] if factor == "param:iodepth" else case.target.id


@pytest.mark.parametrize(
    ("factor", "levels", "plan"),
    [
        ("target", {1, 2}, {"targets": TWO_DISKS}),
        ("host", {1, 2}, {"targets": TWO_HOSTS}),
        ("param:iodepth", {1, 8, 64}, {}),
    ],
)
def test_each_block_has_every_level_as_often_in_random_order(
    factor: str, levels: set[int], plan: Any
) -> None:
    """The same design as that of tunings, which the simulation of verdicts is about: of one level
    and another 2 in each block, in any of their orders.
    """
    data = deciding(factor, DEPTHS if "param" in factor else a_step(), **plan)
    orders = set()
    for seed in range(40):
        cases = preview_of(data, seed=seed).cases
        assert {case.block for case in cases} == {1, 2}
        for block in (1, 2):
            order = tuple(level(factor, case) for case in cases if case.block == block)
            assert Counter(order) == dict.fromkeys(levels, 2)
            orders.add(tuple(one for one in order if one != 64))
    assert len(orders) == 6  # the orders of 2 and 2


def test_steps_and_other_parameters_keep_their_order() -> None:
    steps = (a_step(rw="randread", bs=["4k", "64k"], iodepth=[1, 8]), a_step(rw="read"))
    cases = preview_of(deciding("param:iodepth", *steps)).cases
    first = [(case.step, case.params["bs"]) for case in cases if case.block == 1]
    assert first == [(0, 4096)] * 4 + [(0, 65536)] * 4 + [(1, cases[-1].params["bs"])] * 2


def test_repeats_are_counted_for_each_test() -> None:
    cases = preview_of(deciding("target", a_step(), targets=TWO_DISKS)).cases
    for target in (1, 2):
        assert sorted(c.repeat for c in cases if c.target.id == target) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("factor", "field", "words"),
    [
        ("tuning", "stopping_rule.precision_percent", "needs at least two tuning profiles"),
        (
            "target",
            "stopping_rule.factor",
            "Deciding between targets needs two that do the same test.",
        ),
        ("host", "stopping_rule.factor", "Deciding between hosts needs two that do the same test."),
        ("param:bs", "stopping_rule.factor", "values of bs needs a step that lists two of them."),
        ("colour", "stopping_rule.factor", "Decide between tuning, target, host, or a parameter"),
    ],
)
def test_one_level_alone_is_refused(factor: str, field: str, words: str) -> None:
    targets = TWO_DISKS if factor == "host" else (a_disk(),)
    plan = deciding(factor, DEPTHS, targets=targets, tunings=tunings("a"))
    found = [(problem.field, problem.message) for problem in preview_of(plan).problems]
    assert [(name, words in text) for name, text in found] == [(field, True)]


def test_a_value_in_another_step_is_no_level() -> None:
    plan = deciding("param:bs", a_step(bs="4k"), a_step(bs="8k"))
    assert [problem.field for problem in preview_of(plan).problems] == ["stopping_rule.factor"]

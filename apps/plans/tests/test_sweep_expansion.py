"""A step whose parameters are lists is many workloads."""

from __future__ import annotations

import pytest

from apps.plans.domain import expand
from apps.plans.domain.expand import plan_expand, step_params
from apps.plans.schemas.plan import StepSpec
from apps.plans.tests.factories import a_disk, a_plan, a_step, plan_cases
from apps.tools.errors import ParamsError


def test_every_combination_is_a_workload_of_its_own() -> None:
    step = a_step(rw=["randread", "randwrite"], iodepth="1, 4, 16")
    cases = plan_cases(a_plan(step, repeats=1), seed=0)
    assert [(c.params["rw"], c.params["iodepth"]) for c in cases] == [
        (rw, depth) for rw in ("randread", "randwrite") for depth in (1, 4, 16)
    ]
    assert len({c.workload_key for c in cases}) == 6


def test_two_spellings_of_one_value_are_one_workload() -> None:
    cases = plan_cases(a_plan(a_step(bs=["4k", 4096, "4 KiB"]), repeats=1), seed=0)
    assert [c.params["bs"] for c in cases] == [4096]


def test_the_same_workload_has_the_same_key_on_every_target() -> None:
    targets = (a_disk(), a_disk(id=2, identity="wwn:2", label="node02: sdb"))
    cases = plan_cases(a_plan(targets=targets, repeats=1), seed=0)
    assert len(cases) == 2
    assert len({c.workload_key for c in cases}) == 1


def test_a_bad_value_is_a_sentence_at_its_step_and_parameter() -> None:
    plan = a_plan(a_step(), a_step(bs="4k, huge"))
    expansion = plan_expand(plan)
    assert [(p.step, p.field) for p in expansion.problems] == [(1, "bs")]
    assert len(expansion.cases) == 6, "the good step is still expanded for the preview"


def test_a_tool_nobody_knows_is_a_problem_of_its_step() -> None:
    expansion = plan_expand(a_plan(StepSpec("nonsense", {})))
    assert [p.step for p in expansion.problems] == [0]
    assert "nonsense" in expansion.problems[0].message


def test_more_cases_than_the_limit_are_refused_before_they_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(expand, "MAX_CASES", 11)
    assert len(plan_cases(a_plan(a_step(iodepth="1,2"), repeats=5), seed=0)) == 10
    expansion = plan_expand(a_plan(a_step(iodepth="1,2"), repeats=6))
    assert expansion.cases == ()
    assert "12 cases" in expansion.problems[0].message


def test_a_disk_that_is_too_small_is_named_at_the_size() -> None:
    small = a_disk(size=512 * 1024**2, label="node01: small")
    problems = plan_expand(a_plan(targets=(a_disk(), small))).problems
    assert [(p.step, p.field) for p in problems] == [(0, "size")]
    assert problems[0].message.startswith("node01: small: ")


def test_points_that_cannot_be_are_left_out_of_a_sweep() -> None:
    sizes = {"file_size": "64k..1M", "record_size": "64k..1M"}
    found = step_params(StepSpec("iozone", sizes))
    assert len(found) == 15, "of 5 x 5 those whose record fits into the file"
    with pytest.raises(ParamsError, match="must fit"):
        step_params(StepSpec("iozone", {"file_size": "64k", "record_size": "1M"}))

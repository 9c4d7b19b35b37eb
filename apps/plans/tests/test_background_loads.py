"""Background loads of a plan: levels of a factor, what they write, and what they cannot do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from apps.plans.domain.case_groups import case_groups
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.plan import StepSpec
from apps.plans.tests.factories import GIB, a_directory, a_disk, a_host, a_plan, a_step, tunings
from apps.tools.added_params import BACKGROUND
from apps.tools.background import background_text
from apps.tools.values import RawValue

OTHER = a_disk(id=2, identity="wwn:2", label="node02: sdc", host=a_host(id=2, name="node02"))


def load(target: str = "", **params: RawValue) -> StepSpec:
    values: dict[str, RawValue] = {"rw": "write", "bs": "128k", "rate_iops": 100, **params}
    return msgspec.structs.replace(a_step("", **values), role="background", target=target)


def test_every_measured_point_is_done_alone_and_under_each_load() -> None:
    steps = a_step(rw="randread"), load(rate_iops=[100, 200])
    preview = preview_of(a_plan(*steps, repeats=2, tunings=tunings("a", "b")))
    assert not preview.problems
    assert len(preview.cases) == 2 * 2 * 3
    levels = {case.params.get(BACKGROUND) for case in preview.cases}
    assert len(levels) == 3
    assert None in levels
    assert len({case.workload_key for case in preview.cases}) == 3
    assert {case.tool_params["rw"] for case in preview.cases} == {"randread"}
    assert {case.step for case in preview.cases} == {0}


def test_loads_and_tunings_of_a_block_are_shuffled_together() -> None:
    plan = a_plan(a_step(rw="randread"), load(), repeats=6, tunings=tunings("a", "b"))
    orders = set()
    for seed in range(20):
        block = [case for case in preview_of(plan, seed=seed).cases if case.block == 1]
        levels = [(case.tuning.name, BACKGROUND in case.params) for case in block]
        assert len(set(levels)) == 4
        orders.add(tuple(levels))
    assert len(orders) > 10


def test_the_same_load_elsewhere_is_another_level() -> None:
    steps = a_step(rw="randread"), load(), load("disk:2")
    preview = preview_of(a_plan(*steps, background_targets={"disk:2": OTHER}))
    assert not preview.problems
    values = {case.params[BACKGROUND] for case in preview.cases if BACKGROUND in case.params}
    assert len(values) == 2
    assert {background_text(value).endswith("on node02: sdc") for value in values} == {True, False}


def test_the_preview_counts_what_loads_write_while_the_test_runs() -> None:
    plan = a_plan(a_step(rw="randread", runtime=60), load("disk:2"), repeats=1)
    plan = replace(plan, background_targets={"disk:2": OTHER})
    preview = preview_of(plan)
    (one,) = preview.loads
    assert one.bytes_written is not None
    assert one.bytes_written >= 100 * 128 * 1024 * 65
    assert preview.bytes_written == one.bytes_written
    assert preview.writes_disks
    assert {target.key: totals.bytes_written for target, totals in preview.by_target} == {
        ("disk", 1): 0,
        ("disk", 2): one.bytes_written,
    }
    groups = case_groups(preview.cases, preview.loads)
    alone, loaded = sorted(groups, key=lambda group: BACKGROUND in group.first.params)
    assert (alone.bytes_written, loaded.bytes_written) == (0, one.bytes_written)
    assert loaded.seconds == alone.seconds + 5.0


@pytest.mark.parametrize(
    ("steps", "fields", "step", "field"),
    [
        ((load(),), {}, None, "steps"),
        ((a_step(rw="randread"), load("disk:9")), {}, 1, "target"),
        ((a_step(rw="randwrite"), load()), {}, 1, "target"),
        ((a_step(rw="write"), load(rw="randread")), {}, 1, "target"),
        ((a_step(rw="read"), load()), {"targets": (a_directory(),)}, 1, "target"),
        ((a_step(rw="randread"), load()), {"targets": (a_disk(enrolled=False),)}, 1, "rw"),
        ((a_step(rw="randread"), load(size="200G")), {}, 1, "target"),
        ((a_step(rw="randread"), load()), {"load_search_parameter": "iodepth"}, 1, "role"),
    ],
)
def test_impossible_loads_are_problems(
    steps: tuple[StepSpec, ...], fields: dict[str, Any], step: int | None, field: str
) -> None:
    problems = preview_of(a_plan(*steps, **fields)).problems
    assert (step, field) in {(one.step, one.field) for one in problems}, problems


def test_a_load_that_starts_again_writes_as_fast_as_the_device() -> None:
    iozone = StepSpec("iozone", {"file_size": "1G", "operation": "write"}, role="background")
    other = a_directory(id=2, identity="/other", label="node01: /other")
    step = msgspec.structs.replace(iozone, target="directory:2")
    plan = a_plan(a_step(rw="randread"), step, background_targets={"directory:2": other})
    preview = preview_of(plan)
    assert not preview.problems
    assert {one.bytes_written for one in preview.loads} == {None}
    assert preview.bytes_written is None
    assert preview.totals.bytes_at_1_gib > GIB

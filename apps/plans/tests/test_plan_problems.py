"""Problems that stop a plan, each in a sentence at the input it is about."""

from __future__ import annotations

from typing import Any

import pytest

from apps.plans.domain.preview import preview_of
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import HOST_DEFAULTS, PlannedTuning
from apps.plans.tests.factories import a_directory, a_disk, a_host, a_plan, a_step
from apps.tuning.schemas.settings import Setting

QUEUE = (Setting("queue", "scheduler", "none"),)


def found(*steps: Any, **kwargs: Any) -> list[tuple[int | None, str, str, bool]]:
    plan = a_plan(*steps, **kwargs)
    return [(p.step, p.field, p.message, p.saving) for p in preview_of(plan).problems]


def test_a_sound_plan_has_none() -> None:
    assert found(a_step(rw="randwrite")) == []


PIN = Setting("cpu", "pin_to_hardware_queues", "split")
PINNED = (PlannedTuning(1, "pinned", (PIN,)),)


def test_more_pinned_jobs_than_cpus_names_both_numbers_once() -> None:
    (problem,) = found(a_step(rw="randread", numjobs="4, 16"), tunings=PINNED)
    assert problem == (0, "numjobs", "16 jobs, but node01 has 8 CPUs.", False)


def test_more_jobs_than_cpus_stop_nothing_where_none_is_pinned() -> None:
    plan = a_plan(a_step(numjobs="4, 32"), repeats=6)
    preview = preview_of(plan)
    assert preview.problems == ()
    (warning,) = preview.warnings
    text = "32 jobs, but node01 has 8 CPUs: they take turns."
    assert (warning.step, warning.field, warning.message) == (0, "numjobs", text)


def test_a_cpu_the_host_does_not_have() -> None:
    (problem,) = found(a_step(cpus_allowed="0-8"))
    assert problem[:2] == (0, "cpus_allowed")
    assert "CPU 8" in problem[2]


def test_unknown_cpus_are_no_problem() -> None:
    assert found(a_step(numjobs=16), targets=(a_disk(host=a_host(cpu_count=None)),)) == []


@pytest.mark.parametrize("mode", ["randwrite", "write", "randrw", "trim"])
def test_a_destructive_mode_needs_an_enrolled_disk(mode: str) -> None:
    (problem,) = found(a_step(rw=mode), targets=(a_disk(enrolled=False),))
    assert problem[:2] == (0, "rw")
    assert "not enrolled" in problem[2]
    assert problem[3]


def test_reading_needs_no_enrolment_and_neither_does_a_directory() -> None:
    assert found(a_step(rw="randread"), targets=(a_disk(enrolled=False),)) == []
    assert found(a_step(rw="randwrite"), targets=(a_directory(enrolled=False),)) == []


FILES = (PlannedTuning(1, "in ext4", (Setting("filesystem", "filesystem", "ext4"),)),)


def test_a_file_system_needs_an_enrolled_disk_also_to_read_from_it() -> None:
    step = a_step(rw="randread", size="1G")
    (problem,) = found(step, tunings=FILES, targets=(a_disk(enrolled=False),))
    assert "not enrolled" in problem[2]
    preview = preview_of(a_plan(step, tunings=FILES))
    assert preview.writes_disks
    assert [case.bytes_written for case in preview.cases] == [1 << 30] * len(preview.cases)


def test_a_file_system_is_made_on_disks_of_one_host_and_for_tools_that_take_files() -> None:
    (problem,) = found(a_step(rw="randread", size="1G"), tunings=FILES, targets=(a_directory(),))
    assert problem[1] == "tunings"
    assert "reaches nothing of it" in problem[2]
    assert found(a_step(rw="randread", size=None), tunings=FILES), "a file has a size"


def test_a_tool_of_directories_takes_disks_where_every_tuning_makes_a_file_system() -> None:
    step = StepSpec("iozone", {"file_size": "16M", "record_size": "4k"})
    preview = preview_of(a_plan(step, tunings=FILES))
    assert preview.problems == ()
    assert {case.target.kind for case in preview.cases} == {"disk"}
    texts = [problem[2] for problem in found(step, tunings=(HOST_DEFAULTS, *FILES))]
    assert "iozone needs a directory as its target, and this plan has none." in texts


def test_no_target_stops_the_launch_but_not_saving() -> None:
    assert [(p[1], p[3]) for p in found(targets=())] == [("targets", False)]


def test_no_step_stops_saving() -> None:
    assert [(p[1], p[3]) for p in found(steps=())] == [("steps", True)]


def test_a_host_that_is_switched_off_stops_the_launch_only() -> None:
    (problem,) = found(targets=(a_disk(host=a_host(enabled=False)),))
    assert problem[1] == "targets"
    assert not problem[3]
    assert "node01" in problem[2]


def test_disks_and_tuning_need_root() -> None:
    host = a_host(root=False)
    assert found(targets=(a_directory(host=host),)) == []
    assert [p[1] for p in found(targets=(a_disk(host=host),))] == ["targets"]
    tuned = (PlannedTuning(1, "none", QUEUE),)
    assert [p[1] for p in found(targets=(a_directory(host=host),), tunings=tuned)] == ["tunings"]

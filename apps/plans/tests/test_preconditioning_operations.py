"""From a plan's preparation to its cases."""

from __future__ import annotations

import pytest

from apps.common.schemas.versioned_json import SchemaError
from apps.plans.domain.preconditioning import act_words
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.plan import PLAN_SPEC
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.tests.factories import a_directory, a_disk, a_plan

BOTH = Preconditioning(purge="discard", sequential_fills=2, random_fills=1)


def test_acts_come_first_in_their_order_disk_by_disk() -> None:
    disk = a_disk(enrolled=True)
    preview = preview_of(a_plan(targets=(disk,), repeats=2, preconditioning=BOTH))
    purposes = [case.purpose for case in preview.cases]
    assert purposes == ["precondition"] * 4 + ["measure"] * 2
    assert [case.sequence for case in preview.cases] == list(range(6))
    labels = [case.label for case in preview.cases[:4]]
    assert labels[0] == "discard"
    assert labels[1] == labels[2] == "sequential write 128 KiB, QD 32, no time limit"
    assert labels[3].startswith("random write 4 KiB")
    assert [case.repeat for case in preview.cases[:4]] == [1, 1, 2, 1]
    assert {case.step for case in preview.cases[:4]} == {None}
    assert {case.tuning.name for case in preview.cases[:4]} == {"Host defaults"}
    assert preview.writes_disks
    assert sum(case.bytes_written or 0 for case in preview.cases[:4]) == 3 * (disk.size or 0)


def test_a_disk_that_is_not_enrolled_is_not_prepared() -> None:
    preview = preview_of(a_plan(targets=(a_disk(enrolled=False),), preconditioning=BOTH))
    (said,) = {p.field for p in preview.problems if "enrolled" in p.message}
    assert said == "preconditioning", "the step itself only reads"


def test_only_disks_can_be_prepared() -> None:
    preview = preview_of(a_plan(targets=(a_directory(),), preconditioning=BOTH))
    assert any("only disks can be prepared" in p.message for p in preview.problems)
    assert not any(p.field == "preconditioning" for p in preview_of(a_plan()).problems)


def test_what_it_does_in_words() -> None:
    assert act_words(BOTH.kinds) == [
        "discard all blocks", "fill in sequence, 2 times", "fill in random order"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "stored", [{"sequential_fills": 11}, {"random_fills": -1}, {"purge": "shred"}]
)
def test_what_cannot_be_is_not_stored(stored: dict[str, object]) -> None:
    assert PLAN_SPEC.read({"version": 1, "preconditioning": {}}) == PLAN_SPEC.kind()
    with pytest.raises(SchemaError, match="preconditioning"):
        PLAN_SPEC.read({"version": 1, "preconditioning": stored})


def test_one_pass_is_an_operation_of_its_own() -> None:
    once = Preconditioning(purge="discard", sprandom_over_provisioning=0.07)
    assert once.kinds == ("discard", "sprandom")
    preview = preview_of(a_plan(targets=(a_disk(),), repeats=1, preconditioning=once))
    (case,) = [case for case in preview.cases if dict(case.params).get("sprandom")]
    assert (case.params["spr_op"], case.purpose) == ("0.07", "precondition")
    assert case.bytes_written == pytest.approx(1.07 * (case.target.size or 0), abs=4096)
    # The host of the factory has fio 3.33: the launch is refused, the plan can be saved.
    problems = [p for p in preview.problems if p.field.startswith("preconditioning")]
    assert "sprandom needs fio 3.41 or newer; node01 has 3.33." in {p.message for p in problems}
    assert not any(problem.saving for problem in problems)


@pytest.mark.parametrize(
    "both",
    [
        Preconditioning(sequential_fills=2, sprandom_over_provisioning=0.07),
        Preconditioning(random_fills=1, sprandom_over_provisioning=0.07),
        Preconditioning(sprandom_over_provisioning=0.00001),
    ],
)
def test_one_pass_and_fills_are_refused(both: Preconditioning) -> None:
    preview = preview_of(a_plan(targets=(a_disk(),), preconditioning=both))
    fields = [problem.field for problem in preview.problems]
    assert "preconditioning.sprandom_over_provisioning" in fields

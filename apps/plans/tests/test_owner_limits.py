"""The preview of a plan warns of what owners of hosts do not allow."""

from __future__ import annotations

from typing import Any

import pytest

from apps.inventory.schemas.host_facts import LimitDocument, OwnerLimits
from apps.plans.domain.preview import preview_of
from apps.plans.schemas.planned import PlannedPlan, PlannedTuning
from apps.plans.tests.factories import a_disk, a_host, a_plan, a_step
from apps.tuning.schemas.settings import Setting


def warnings(limits: OwnerLimits, **plan: Any) -> list[str]:
    """Return the warnings about the owner of the only host."""
    planned: PlannedPlan = a_plan(targets=(a_disk(host=a_host(owner_limits=limits)),), **plan)
    return [w.message for w in preview_of(planned).warnings if "node01" in w.message]


def only(**limits: Any) -> OwnerLimits:
    return OwnerLimits(limits=LimitDocument(**limits))


def test_what_is_allowed_needs_no_warning() -> None:
    assert warnings(OwnerLimits()) == []
    assert warnings(only(tools=("f*",), note="Ask Li.")) == []


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (only(tools=("iperf3",)), "The owner of node01 does not allow fio there."),
        (only(tools=()), "The owner of node01 does not allow fio there."),
        (OwnerLimits(error="It is no JSON."), "node01 refuses all tests: It is no JSON."),
        (
            OwnerLimits(LimitDocument(note="Ask Li."), is_stopped=True),
            "The owner of node01 stops all tests there. Ask Li.",
        ),
    ],
)
def test_what_is_not_allowed_is_named_once(limits: OwnerLimits, sentence: str) -> None:
    assert warnings(limits, repeats=6) == [sentence]


def test_settings_of_a_tuning_are_compared() -> None:
    profile = PlannedTuning(1, "fast", (Setting("queue", "scheduler", "none"),))
    expected = "The owner of node01 does not allow queue/scheduler there."
    assert warnings(only(settings=()), tunings=(profile,)) == [expected]
    assert warnings(only(settings=("queue/*",)), tunings=(profile,)) == []


def test_disks_are_compared_as_the_host_reported_them() -> None:
    expected = "The owner of node01 does not allow node01: sdb there."
    assert warnings(OwnerLimits(allowed_disks=("wwn:2",))) == [expected]
    assert warnings(OwnerLimits(allowed_disks=("wwn:2", "wwn:1"))) == []


NIGHT = {"from": "23:59", "to": "00:00", "zone": "UTC"}


@pytest.mark.parametrize("limits", [only(seconds=20), only(hours=NIGHT, seconds=7200)])
def test_test_that_is_longer_than_the_owner_allows_is_named(limits: OwnerLimits) -> None:
    (text,) = warnings(limits, steps=(a_step(runtime=100, time_based=True),))
    assert "The owner of node01 ends a test after" in text
    assert warnings(limits, steps=(a_step(runtime=5, time_based=True),)) == []


@pytest.mark.parametrize("hours", [{}, {"from": "x", "to": "06:00"}])
def test_hours_that_no_agent_obeys_are_no_limit(hours: dict[str, str]) -> None:
    assert warnings(only(hours=hours)) == []


def test_test_that_writes_more_than_the_owner_allows_a_day_is_named() -> None:
    step = a_step(rw="write", size="2G", runtime=0, time_based=False)
    (text,) = warnings(only(bytes_a_day=1 << 30), steps=(step,))
    assert "The owner of node01 allows" in text
    assert warnings(only(bytes_a_day=1 << 40), steps=(step,)) == []

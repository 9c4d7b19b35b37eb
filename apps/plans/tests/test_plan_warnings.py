"""Warnings of what may spoil a plan without stopping it."""

from __future__ import annotations

from typing import Any

import pytest

from apps.plans.domain.preview import preview_of
from apps.plans.schemas.planned import PlannedTuning
from apps.plans.tests.factories import a_disk, a_host, a_plan
from apps.tuning.schemas.settings import Setting


def warned(**kwargs: Any) -> list[tuple[str, str]]:
    return [(w.field, w.message) for w in preview_of(a_plan(**kwargs)).warnings]


@pytest.mark.parametrize(
    ("repeats", "words"), [(1, "at least 4"), (3, "at least 4"), (4, "only large")]
)
def test_too_few_repeats(repeats: int, words: str) -> None:
    ((field, message),) = warned(repeats=repeats)
    assert field == "repeats"
    assert words in message
    assert "6 are recommended" in message


def test_six_repeats_are_enough() -> None:
    assert warned(repeats=6) == []


def test_a_tool_the_host_lacks() -> None:
    ((field, message),) = warned(targets=(a_disk(host=a_host(tools={"fio": None})),))
    assert field == "tool"
    assert "The last check of node01 did not find fio" in message


def test_a_host_nobody_checked() -> None:
    ((field, message),) = warned(targets=(a_disk(host=a_host(tools=None)),))
    assert field == "targets"
    assert "not been checked" in message


def test_a_scheduler_the_disk_does_not_offer() -> None:
    setting = Setting("queue", "scheduler", "bfq")
    tuning = (PlannedTuning(1, "fair", (setting,)),)
    ((field, message),) = warned(tunings=tuning, targets=(a_disk(schedulers=("none", "kyber")),))
    assert field == "tunings"
    assert message == "fair: node01: sdb offers none, kyber, not bfq."
    assert warned(tunings=tuning, targets=(a_disk(schedulers=("none", "bfq")),)) == []
    assert warned(tunings=tuning) == [], "nobody knows what this disk offers"

"""Medians of the earlier repeats beside the live figures of a case."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.results.tests.factories import create_results
from apps.runs.models import AttemptState, Case, CaseState, Run, RunState
from apps.runs.selectors.earlier_medians import earlier_medians
from apps.runs.tests.factories import create_attempt, create_run

MEDIANS = {
    "iops": {"read": 32_768.0},
    "bandwidth": {"read": 128 * 2.0**20},
    "latency": {"read": 1_500.0},
}


@pytest.fixture
def second_repeat(owner: User) -> Case:
    """The first repeat has succeeded with results."""
    first = create_run(owner=owner).cases.get()
    Case.objects.filter(pk=first.pk).update(state=CaseState.SUCCEEDED)
    create_results(create_attempt(first))
    first.pk, first.repeat, first.sequence = None, 2, first.sequence + 1
    first.state = CaseState.PENDING
    first.save(force_insert=True)
    return first


def test_earlier_medians_of_a_second_repeat_are_those_of_the_first(second_repeat: Case) -> None:
    assert earlier_medians(second_repeat) == MEDIANS


def test_earlier_medians_without_valid_results_are_empty(second_repeat: Case) -> None:
    results = second_repeat.run.cases.get(repeat=1).measurements
    results.update(valid=False, invalid_reason="the clock jumped")
    assert earlier_medians(second_repeat) == {}


def test_run_page_of_a_running_repeat_carries_the_medians(
    second_repeat: Case, owner_client: Client
) -> None:
    Run.objects.filter(pk=second_repeat.run_id).update(state=RunState.RUNNING)
    create_attempt(
        second_repeat, state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None
    )
    page = owner_client.get(reverse("run_fragment", args=[second_repeat.run_id, "status"]))
    (row,) = page.context["now"]
    assert row.medians == MEDIANS

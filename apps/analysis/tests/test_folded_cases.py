"""Cases on the page of a finished run: folded by workload, faults open, a search unfolded."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.compare.tests.factories import PARAMS, Setup, create_measured_run
from apps.results.models import Measurement
from apps.runs.models import Run, RunState

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(owner: User) -> Run:
    points = [PARAMS | {"iodepth": depth} for depth in (1, 4, 16)]
    return create_measured_run(Setup(owner, points=points, repeats=2))


def folds(client: Client, run: Run, query: str = "") -> list[bool]:
    """Of each group that folds: whether it is open."""
    page = client.get(f"/runs/{run.pk}/{query}").content.decode()
    return ["checked" in box for box in re.findall(r'class="case-fold"><input ([^>]*)>', page)]


def test_groups_without_a_fault_are_folded(run: Run, viewer_client: Client) -> None:
    assert folds(viewer_client, run) == [False, False, False]


def test_a_result_that_does_not_count_is_seen_at_once(run: Run, viewer_client: Client) -> None:
    row = Measurement.objects.filter(case__run=run).order_by("case__position").first()
    assert row is not None
    Measurement.objects.filter(pk=row.pk).update(valid=False, invalid_reason="cut off")
    assert sorted(folds(viewer_client, run)) == [False, False, True]


def test_what_is_looked_for_is_shown(run: Run, viewer_client: Client) -> None:
    assert folds(viewer_client, run, "?state=succeeded") == []


def test_a_run_that_goes_on_shows_all(run: Run, viewer_client: Client) -> None:
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, finished_at=None)
    assert folds(viewer_client, run) == []

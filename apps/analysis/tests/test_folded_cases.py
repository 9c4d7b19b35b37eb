"""Cases on the page of a finished run: folded by workload, faults open, a search unfolded."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, AttemptState, Run, RunState

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
    row = Measurement.objects.filter(case__run=run).order_by("case__sequence").first()
    assert row is not None
    Measurement.objects.filter(pk=row.pk).update(valid=False, invalid_reason="cut off")
    summaries_rebuild()
    assert sorted(folds(viewer_client, run)) == [False, False, True]


def test_what_is_looked_for_is_shown(run: Run, viewer_client: Client) -> None:
    assert folds(viewer_client, run, "?state=succeeded") == []


def test_a_run_that_goes_on_shows_all(run: Run, viewer_client: Client) -> None:
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING, finished_at=None)
    assert folds(viewer_client, run) == []


@pytest.fixture
def large(owner: User) -> Run:
    """Three groups of 24 cases: more than a page of cases has."""
    points = [PARAMS | {"iodepth": depth} for depth in (1, 4, 16)]
    return create_measured_run(Setup(owner, points=points, repeats=12))


def table_of(client: Client, run: Run, query: str = "") -> Any:
    return client.get(f"/runs/{run.pk}/parts/cases/{query}").context["table"]


def test_a_large_run_shows_lines_and_asks_for_the_cases_of_one(
    large: Run, viewer_client: Client
) -> None:
    table = table_of(viewer_client, large)
    assert [(group.states, group.rows) for group in table.groups] == [
        ((("succeeded", 24),), [])
    ] * 3
    assert (table.page.start_index(), table.page.end_index(), table.total) == (1, 3, 3)
    params = [table_of(viewer_client, large, f"?{group.query}") for group in table.groups]
    assert [len(each.rows) for each in params] == [24] * 3
    known = {row.case.pk for each in params for row in each.rows}
    assert known == set(large.cases.values_list("pk", flat=True))
    page = viewer_client.get(f"/runs/{large.pk}/").content.decode()
    assert all(f'href="?{group.query}#cases"' in page for group in table.groups)


def test_a_line_says_what_went_wrong(large: Run, viewer_client: Client) -> None:
    case = large.cases.order_by("sequence")[0]
    Attempt.objects.filter(case=case).update(valid=False, invalid_reason="the host swapped")
    table = table_of(viewer_client, large)
    (bad,) = [group for group in table.groups if not group.is_fine]
    assert bad.states == (("succeeded", 23), ("invalid", 1))
    assert case.pk in {row.case.pk for row in table_of(viewer_client, large, f"?{bad.query}").rows}


def test_a_repeated_attempt_that_counts_is_fine(large: Run, viewer_client: Client) -> None:
    case = large.cases.order_by("sequence")[0]
    Attempt.objects.filter(case=case).update(valid=False, invalid_reason="the host swapped")
    Attempt.objects.create(case=case, number=2, state=AttemptState.SUCCEEDED)
    assert all(group.is_fine for group in table_of(viewer_client, large).groups)


def test_a_line_says_that_a_result_does_not_count(large: Run, viewer_client: Client) -> None:
    row = Measurement.objects.filter(case__run=large).order_by("case__sequence").first()
    assert row is not None
    Measurement.objects.filter(pk=row.pk).update(valid=False, invalid_reason="cut off")
    summaries_rebuild()
    page = viewer_client.get(f"/runs/{large.pk}/").content.decode()
    assert page.count("not every result counts") == 1
    (bad,) = [group for group in table_of(viewer_client, large).groups if not group.is_fine]
    assert bad.states == (("succeeded", 24),)


@pytest.mark.parametrize("params", ["?group=0", "?group=x", "?group=99999999999999999999"])
def test_a_group_that_is_not_there_has_no_cases(
    large: Run, viewer_client: Client, params: str
) -> None:
    assert table_of(viewer_client, large, params).total == 0

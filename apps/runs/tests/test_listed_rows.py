"""The list of runs: what a line shows, in its reader's zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.runs.models import Run, RunState
from apps.runs.tests.factories import create_run, end_run
from apps.tools.messages import message

LAUNCHED = timezone.now().replace(microsecond=0) - timedelta(days=3)


@pytest.fixture
def run(owner: User) -> Run:
    run = end_run(create_run(owner=owner), RunState.FAILED, message("%(n)d failed", n=1))
    Run.objects.filter(pk=run.pk).update(queued_at=LAUNCHED, note="first", tags=["night"])
    return run


def test_line_of_an_ended_run_shows_its_columns(run: Run, owner_client: Client) -> None:
    page = owner_client.get(reverse("run_list")).content.decode()
    host = run.cases.get().host
    for text in (run.name, "first", "night", "1 failed", host.name, 'data-state="failed"'):
        assert text in page
    assert f'datetime="{LAUNCHED.isoformat()}"' in page
    assert f'name="run" value="{run.pk}"' in page


def test_line_of_a_running_run_shows_the_cases_that_are_done(
    owner: User, owner_client: Client
) -> None:
    run = create_run(owner=owner, repeats=2)
    run.cases.filter(sequence=0).update(state="failed")
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=LAUNCHED)
    page = owner_client.get(reverse("run_list")).content.decode()
    assert 'class="figure">1</span> / <span' in page
    assert 'data-state="cancelling"' in page


def test_readers_with_other_zones_have_other_pages(
    run: Run, owner: User, viewer: User, page_client: Callable[[User], Client]
) -> None:
    User.objects.filter(pk=viewer.pk).update(time_zone="Asia/Tokyo")
    pages = [page_client(one).get(reverse("run_list")).text for one in (owner, viewer)]
    assert ["JST" in page for page in pages] == [False, True]
    assert [reverse("runs_bulk_edit") in page for page in pages] == [True, False]

"""Ending a run: at once while it waits, by its worker while it runs, once however often asked."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_team, create_user
from apps.runs.models import CaseState, Run, RunState
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_cancel, run_finish
from apps.runs.tests.factories import create_attempt, create_run, end_run


@pytest.fixture
def run(owner: User) -> Run:
    return create_run(owner=owner, repeats=2)


def test_a_queued_run_ends_at_once(run: Run, owner: User) -> None:
    run_cancel(run=run, user=owner)
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert run.reason == "cancelled by owner before it started"
    assert run.finished_at is not None
    assert {case.state for case in run.cases.all()} == {CaseState.CANCELLED}


def test_cancel_of_running_run_requests_end(run: Run, owner: User) -> None:
    run_try_start(run_id=run.pk, worker="w")
    run_cancel(run=run, user=owner)
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    assert run.is_cancelling
    assert run.cancel_requested_by == owner
    assert run.claims.filter(released_at__isnull=True).exists(), "the host is still in use"


def test_asking_twice_changes_nothing(run: Run, owner: User, admin: User) -> None:
    run_try_start(run_id=run.pk, worker="w")
    first = run_cancel(run=run, user=owner).cancel_requested_at
    again = run_cancel(run=run, user=admin)
    assert (again.cancel_requested_at, again.cancel_requested_by) == (first, owner)
    assert run.events.filter(kind="cancel").count() == 1


def test_an_ended_run_stays_as_it_ended(run: Run, owner: User) -> None:
    end_run(run)
    assert run_cancel(run=run, user=owner).state == RunState.SUCCEEDED


def test_finishing_lets_go_and_closes_what_never_started(run: Run) -> None:
    run_try_start(run_id=run.pk, worker="w")
    first = run.cases.order_by("sequence")[0]
    create_attempt(first)
    run.refresh_from_db()
    run_finish(run, RunState.CANCELLED, "cancelled by owner")
    assert not run.claims.filter(released_at__isnull=True).exists()
    states = [case.state for case in run.cases.order_by("sequence")]
    assert states == [CaseState.SUCCEEDED, CaseState.CANCELLED]


def test_the_page_asks_only_those_who_may(
    run: Run, viewer_client: Client, stranger_client: Client, client: Client
) -> None:
    address = reverse("run_cancel", args=[run.pk])
    assert viewer_client.post(address).status_code == 403
    assert stranger_client.post(address).status_code == 403
    assert client.post(address).headers["Location"].startswith(reverse("login"))
    run.refresh_from_db()
    assert run.state == RunState.QUEUED


def test_the_owner_cancels_from_the_page(run: Run, owner_client: Client) -> None:
    answer = owner_client.post(reverse("run_cancel", args=[run.pk]), follow=True)
    assert "Cancelled; it had not started." in answer.content.decode()
    again = owner_client.post(reverse("run_cancel", args=[run.pk]), follow=True)
    assert "It had ended before." in again.content.decode()


def test_a_member_of_the_team_may_cancel(run: Run) -> None:
    team = create_team()
    Run.objects.filter(pk=run.pk).update(team=team)
    member = create_user(role=Role.OPERATOR, teams=(team,))
    client = Client()
    client.force_login(member)
    assert client.post(reverse("run_cancel", args=[run.pk])).status_code == 302
    assert client.get(reverse("run_cancel", args=[run.pk])).status_code == 302

"""A host that never comes back: an admin gives up; what it used stays blocked until proof."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.runs.models import AbandonedAttempt, Attempt, AttemptState, CaseState, Run, RunState
from apps.runs.selectors.runs import runs_visible
from apps.runs.services.abandonment import abandoned_confirm, abandoned_release, run_abandon
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_cancel, run_launch, run_retry
from apps.runs.tests.factories import (
    create_attempt,
    create_disk,
    create_host,
    create_run,
    target_of,
)


@pytest.fixture
def run(owner: User) -> Run:
    """A run of two cases on a disk of host "gone"; the first one runs."""
    disk = create_disk(host=create_host(name="gone"), owner=owner)
    run = create_run(owner=owner, target=disk, repeats=2)
    run_try_start(run_id=run.pk, worker="w")
    first = run.cases.order_by("sequence")[0]
    create_attempt(first, state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None)
    return Run.objects.get(pk=run.pk)


@pytest.fixture
def unresponsive_run(run: Run) -> Run:
    """Its host has not answered for an hour."""
    lost = timezone.now() - timedelta(hours=1)
    Attempt.objects.update(contact_lost_since=lost, unresponsive_hosts=[run.cases.all()[0].host_id])
    return run


def held(run: Run) -> set[str]:
    rows = run.claims.filter(released_at__isnull=True).values_list("resource", flat=True)
    return {name.partition(":")[0] for name in rows}


def blocked(run: Run, owner: User) -> str:
    """Why another run of the same plan waits, "" when it started."""
    assert run.plan is not None
    other = run_launch(plan=run.plan, user=owner)
    run_try_start(run_id=other.pk, worker="w")
    other.refresh_from_db()
    return other.reason


def test_the_run_ends_and_the_disk_stays_blocked(
    unresponsive_run: Run, owner: User, admin: User
) -> None:
    run_abandon(run=unresponsive_run, user=admin, reason="the rack burnt down")
    unresponsive_run.refresh_from_db()
    assert unresponsive_run.state == RunState.LOST
    assert unresponsive_run.reason == "1 of 2 cases ended (unconfirmed)"
    first, second = unresponsive_run.cases.order_by("sequence")
    assert (first.state, second.state) == (CaseState.UNCONFIRMED, CaseState.FAILED)
    assert first.attempts.get().state == AttemptState.UNCONFIRMED
    assert "the rack burnt down" in first.reason
    assert "abandoned attempts on gone" in second.reason
    assert held(unresponsive_run) >= {"host", "disk"}
    assert "abandoned attempt" in blocked(unresponsive_run, owner)
    entry = AuditEntry.objects.filter(action="abandon").get()
    assert entry.user == admin


def test_the_proof_frees_it(unresponsive_run: Run, owner: User, admin: User) -> None:
    (row,) = run_abandon(run=unresponsive_run, user=admin, reason="away")
    abandoned_confirm(row)
    row.refresh_from_db()
    assert (row.confirmed, row.ended_by) == (True, None)
    assert held(unresponsive_run) == set()
    assert blocked(unresponsive_run, owner) == ""


def test_an_admin_vouches_for_it_with_a_reason(
    unresponsive_run: Run, owner: User, admin: User
) -> None:
    run_abandon(run=unresponsive_run, user=admin, reason="away")
    with pytest.raises(ServiceError):
        abandoned_release(run=unresponsive_run, user=admin, reason=" ")
    with pytest.raises(ServiceError):
        abandoned_release(run=unresponsive_run, user=owner, reason="I say so")
    assert abandoned_release(run=unresponsive_run, user=admin, reason="scrapped") == 1
    row = AbandonedAttempt.objects.get()
    assert (row.confirmed, row.ended_by, row.confirmation_note) == (False, admin, "scrapped")
    assert blocked(unresponsive_run, owner) == ""


def test_a_retry_waits_for_the_proof(unresponsive_run: Run, owner: User, admin: User) -> None:
    (row,) = run_abandon(run=unresponsive_run, user=admin, reason="away")
    run_retry(run=unresponsive_run, user=owner)
    assert run_try_start(run_id=unresponsive_run.pk, worker="w") is None
    abandoned_confirm(row)
    assert run_try_start(run_id=unresponsive_run.pk, worker="w") is not None


def test_a_host_that_answers_is_not_given_up(run: Run, admin: User) -> None:
    Attempt.objects.update(contact_at=timezone.now())
    with pytest.raises(ServiceError, match="cancel the run instead"):
        run_abandon(run=run, user=admin, reason="no patience")
    assert not AbandonedAttempt.objects.exists()


def test_the_runs_other_hosts_go_on(owner: User, admin: User, unresponsive_run: Run) -> None:
    there = create_disk(host=create_host(name="there"), owner=owner)
    second = unresponsive_run.cases.order_by("sequence")[1]
    type(second).objects.filter(pk=second.pk).update(run_target=target_of(unresponsive_run, there))
    run_abandon(run=unresponsive_run, user=admin, reason="away")
    unresponsive_run.refresh_from_db()
    second.refresh_from_db()
    assert (unresponsive_run.state, second.state) == (RunState.RUNNING, CaseState.PENDING)


def test_what_has_not_begun_is_cancelled_at_once(
    unresponsive_run: Run, owner: User, admin: User
) -> None:
    run_cancel(run=unresponsive_run, user=owner)
    first, second = unresponsive_run.cases.order_by("sequence")
    assert (first.state, second.state) == (CaseState.RUNNING, CaseState.CANCELLED)
    run_abandon(run=unresponsive_run, user=admin, reason="away")
    unresponsive_run.refresh_from_db()
    assert unresponsive_run.state == RunState.CANCELLED
    assert unresponsive_run.reason == "cancelled by owner; of 1 cases the end is not proven"


def test_the_page_says_what_a_cancel_waits_for(
    unresponsive_run: Run, owner: User, owner_client: Client, admin_client: Client
) -> None:
    run_cancel(run=unresponsive_run, user=owner)
    page = owner_client.get(f"/runs/{unresponsive_run.pk}/").content.decode()
    assert "host gone, which has not answered since" in page
    assert "/abandon/" not in page
    page = admin_client.get(f"/runs/{unresponsive_run.pk}/").content.decode()
    assert f"/runs/{unresponsive_run.pk}/abandon/" in page


def test_an_admin_does_it_on_the_pages(unresponsive_run: Run, admin_client: Client) -> None:
    address = f"/runs/{unresponsive_run.pk}/abandon/"
    assert "These attempts wait for gone" in admin_client.get(address).content.decode()
    assert "This field is required" in admin_client.post(address, {"reason": ""}).content.decode()
    page = admin_client.post(address, {"reason": "away"}, follow=True).content.decode()
    assert "abandoned (unconfirmed)" in page
    assert "Resources held until the end is confirmed" in page
    free = f"/runs/{unresponsive_run.pk}/release/"
    assert "abandoned" in admin_client.get(free).content.decode()
    admin_client.post(free, {"reason": "scrapped"})
    assert AbandonedAttempt.objects.get().confirmation_note == "scrapped"


def test_the_api_knows_it_and_asks_for_the_role(
    unresponsive_run: Run,
    api: Callable[[User | None], APIClient],
    admin: User,
    owner: User,
    stranger: User,
) -> None:
    address = f"/api/v1/runs/{unresponsive_run.pk}/abandon/"
    for user in (owner, stranger):
        assert api(user).post(address, {"reason": "away"}).status_code == 403
    assert api(admin).post(address, {}).status_code == 400
    told = api(admin).post(address, {"reason": "away"}).json()
    assert told["state"] == "lost"
    assert told["abandoned_attempts"][0]["host_name"] == "gone"
    assert told["abandoned_attempts"][0]["confirmed"] is False
    freed = f"/api/v1/runs/{unresponsive_run.pk}/release/"
    assert api(owner).post(freed, {"reason": "mine"}).status_code == 403
    told = api(admin).post(freed, {"reason": "scrapped"}).json()
    assert told["abandoned_attempts"][0]["ended_by"] == "admin"
    assert api(admin).post(freed, {"reason": "again"}).status_code == 409
    assert runs_visible().get(pk=unresponsive_run.pk).state == "lost"


def test_the_pages_lead_back_to_their_run(unresponsive_run: Run, admin_client: Client) -> None:
    for page in ("abandon", "release"):
        text = admin_client.get(f"/runs/{unresponsive_run.pk}/{page}/").content.decode()
        trail = text.partition('<ol class="breadcrumb">')[2].partition("</ol>")[0]
        link = f"#{unresponsive_run.pk} {unresponsive_run.name}</a>"
        assert f'href="/runs/{unresponsive_run.pk}/">{link}' in trail


def test_event_log_counts_what_was_not_begun(unresponsive_run: Run, admin: User) -> None:
    run_abandon(run=unresponsive_run, user=admin, reason="the rack burnt down")
    told = unresponsive_run.events.values_list("text", flat=True)
    assert "1 case not started: admin abandoned attempts on gone, which did not answer" in list(
        told
    )


def test_give_up_output_read_for_too_long_ends_as_failed(
    run: Run,
    owner: User,
    stranger: User,
    api: Callable[[User | None], APIClient],
    owner_client: Client,
    admin_client: Client,
) -> None:
    lost = timezone.now() - timedelta(hours=1)
    for state in (AttemptState.COLLECTING, AttemptState.PARSING):
        Attempt.objects.update(state=state, contact_at=lost, ended_at=lost)
    address = reverse("run_abandon", args=[run.pk])
    assert owner_client.post(address, {"reason": "hangs"}).status_code == 403
    assert admin_client.get(address).status_code == 200
    for user in (owner, stranger):
        scripted = api(user).post(f"/api/v1/runs/{run.pk}/abandon/", {"reason": "hangs"})
        assert scripted.status_code == 403
    admin_client.post(address, {"reason": "hangs"})
    first, second = run.cases.order_by("sequence")
    assert (first.state, second.state) == (CaseState.FAILED, CaseState.PENDING)
    assert first.attempts.get().state == AttemptState.FAILED
    assert not AbandonedAttempt.objects.exists(), "the tool has ended: nothing is left to prove"

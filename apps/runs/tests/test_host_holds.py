"""A host is on hold after runs in a row that ended by a fault of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_archive_host, create_host
from apps.runs.models import CaseState, FailureCause, JobState, Run, RunState
from apps.runs.selectors.forecasts import forecast_now
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_finish
from apps.runs.tests.factories import create_attempt, create_disk, create_run

pytestmark = pytest.mark.django_db
Api = Callable[[User | None], APIClient]


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def queued(user: User, host: Host) -> Run:
    return create_run(owner=user, target=create_disk(host=host, owner=user))


def ended(
    user: User, host: Host, cause: str = FailureCause.HOST, state: RunState = RunState.FAILED
) -> Run:
    run = queued(user, host)
    end(run, cause, state)
    host.refresh_from_db()
    return run


def end(run: Run, cause: str, state: RunState) -> None:
    case_state = CaseState.SUCCEEDED if state == RunState.SUCCEEDED else CaseState.FAILED
    run.cases.update(state=case_state, failure_cause=cause)
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    run.refresh_from_db()
    run_finish(run, state, "")


def test_second_fault_in_a_row_holds_the_host_and_its_runs(owner: User, host: Host) -> None:
    ended(owner, host)
    assert host.held_since is None
    last = ended(owner, host)
    assert host.held_since is not None
    entry = AuditEntry.objects.get(action="hold")
    assert (entry.user, entry.object_id, entry.detail["run"]) == (None, str(host.pk), last.pk)
    run = queued(owner, host)
    assert run_try_start(run_id=run.pk, worker="w") is None
    run.refresh_from_db()
    assert run.reason.startswith("waits until an admin releases node1, which is on hold: 2 runs")
    assert run.pk not in forecast_now()


@pytest.mark.parametrize(
    ("cause", "state"),
    [
        (FailureCause.PLAN, RunState.FAILED),
        (FailureCause.TOOL, RunState.FAILED),
        ("", RunState.SUCCEEDED),
    ],
)
def test_other_end_between_two_faults_lets_them_count_anew(
    owner: User, host: Host, cause: str, state: RunState
) -> None:
    ended(owner, host)
    ended(owner, host, cause, state)
    ended(owner, host)
    assert host.held_since is None
    ended(owner, host)
    assert host.held_since is not None


def test_refusals_of_the_agent_hold_no_host(owner: User, host: Host) -> None:
    for _number in range(3):
        run = queued(owner, host)
        attempt = create_attempt(run.cases.get())
        attempt.jobs.update(state=JobState.REFUSED)
        end(run, FailureCause.HOST, RunState.FAILED)
    host.refresh_from_db()
    assert (host.held_since, host.fault_count) == (None, 0)


def test_cancelled_run_proves_nothing_of_the_host(owner: User, host: Host) -> None:
    ended(owner, host)
    ended(owner, host, state=RunState.CANCELLED)
    assert host.fault_count == 1


def test_hold_is_a_setting(owner: User, host: Host, settings: LazySettings) -> None:
    settings.BENCHLAB_HOST_HOLD_FAULTS = 0
    for _number in range(3):
        ended(owner, host)
    assert host.held_since is None


def test_run_that_waits_for_a_held_host_holds_up_no_run_on_other_hosts(
    owner: User, host: Host
) -> None:
    other = create_host()
    both = queued(owner, host)
    ended(owner, host)
    ended(owner, host)
    both.targets.get().members.create(host=other, host_name="x", kind="host", position=1)
    younger = queued(owner, other)
    assert run_try_start(run_id=both.pk, worker="w") is None
    assert run_try_start(run_id=younger.pk, worker="w")


def test_admin_releases_the_host_on_pages_and_in_the_api(
    owner: User, admin: User, host: Host, admin_client: Client, owner_client: Client, api: Api
) -> None:
    ended(owner, host)
    ended(owner, host)
    run = queued(owner, host)
    release = reverse("host_release", args=[host.pk])
    for page in (reverse("queue"), reverse("host_detail", args=[host.pk])):
        assert release in admin_client.get(page).content.decode()
        text = owner_client.get(page).content.decode()
        assert "on hold" in text
        assert release not in text
    assert owner_client.post(release).status_code == 403
    address = f"/api/v1/hosts/{host.pk}/release/"
    assert api(owner).post(address).status_code == 403
    assert admin_client.post(release).status_code == 302
    assert api(admin).post(address).status_code == 409
    assert api(admin).get(f"/api/v1/hosts/{host.pk}/").json()["held_since"] is None
    assert run_try_start(run_id=run.pk, worker="w")
    assert AuditEntry.objects.filter(action="release", user=admin).exists()
    host.refresh_from_db()
    assert host.fault_count == 0


def test_admin_holds_a_host_by_hand(
    owner: User, admin: User, host: Host, admin_client: Client, owner_client: Client, api: Api
) -> None:
    hold, address = reverse("host_hold", args=[host.pk]), f"/api/v1/hosts/{host.pk}/hold/"
    assert hold in admin_client.get(reverse("host_detail", args=[host.pk])).content.decode()
    assert hold not in owner_client.get(reverse("host_detail", args=[host.pk])).content.decode()
    assert owner_client.post(hold, {"reason": "new disk"}).status_code == 403
    assert api(owner).post(address, {"reason": "new disk"}).status_code == 403
    for reason in ("", " ", "x" * 201):
        assert api(admin).post(address, {"reason": reason}).status_code == 400
    assert api(admin).post(address, {"reason": "new disk"}).json()["hold_reason"] == "new disk"
    assert api(admin).post(address, {"reason": "again"}).status_code == 409
    run = queued(owner, host)
    assert run_try_start(run_id=run.pk, worker="w") is None
    run.refresh_from_db()
    assert run.reason == "waits until an admin releases node1, which is on hold: new disk"
    assert admin_client.post(reverse("host_release", args=[host.pk])).status_code == 302
    assert run_try_start(run_id=run.pk, worker="w")
    assert AuditEntry.objects.filter(action="hold", user=admin).exists()


def test_host_of_the_archive_is_not_held(admin: User, api: Api) -> None:
    archived = create_archive_host()
    address = f"/api/v1/hosts/{archived.pk}/hold/"
    assert api(admin).post(address, {"reason": "new disk"}).status_code == 409

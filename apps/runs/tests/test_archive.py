"""Runs are put away, brought back and deleted: by whom, when, and what is left."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import Sum
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, Team, User
from apps.blobs.models import Blob
from apps.common.errors import ServiceError
from apps.runs.models import AbandonedAttempt, Artifact, Attempt, Case, Origin, Run, RunState
from apps.runs.services.archive import run_archive, run_delete
from apps.runs.services.artifacts import artifact_bytes, artifact_of
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_run

Api = Callable[[User | None], APIClient]
TEXT = b"bw=1\n" * 1000


@pytest.fixture
def run(owner: User) -> Run:
    """An ended run; one of its files is in another run too."""
    runs = [create_run(owner=owner), create_run(owner=owner)]
    for run in runs:
        attempt = create_attempt(run.cases.get())
        artifact_of(attempt, "stdout", TEXT).save()
        artifact_of(attempt, "own", str(run.pk).encode()).save()
    Run.objects.update(state=RunState.SUCCEEDED)
    return Run.objects.get(pk=runs[0].pk)


def test_its_owner_deletes_a_run_with_everything(
    run: Run,
    owner: User,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run_delete(run=run, user=owner, name=run.name)
    other = Run.objects.get()
    assert Case.objects.get().run == other
    assert Attempt.objects.count() == 1
    assert Artifact.objects.count() == Blob.objects.count() == 2
    assert artifact_bytes(Artifact.objects.get(name="stdout")) == TEXT
    entry = AuditEntry.objects.get(action="delete")
    assert (entry.user, entry.object_type, entry.object_id) == (owner, "run", str(run.pk))
    assert entry.detail["cases"] == 1
    assert entry.detail["raw_bytes"] == len(TEXT) + len(str(run.pk))


def test_who_may_delete(run: Run, owner: User, viewer: User, stranger: User, admin: User) -> None:
    team = Team.objects.create(name="storage")
    stranger.teams.add(team)
    Run.objects.update(team=team)  # a member may change the run, and not delete it
    for user in (viewer, stranger):
        with pytest.raises(ServiceError, match="Only its owner and admins"):
            run_delete(run=run, user=user, name=run.name)
    User.objects.filter(pk=owner.pk).update(role="viewer")
    with pytest.raises(ServiceError, match="Only its owner and admins"):
        run_delete(run=run, user=User.objects.get(pk=owner.pk), name=run.name)
    run_delete(run=run, user=admin, name=run.name)
    assert not Run.objects.filter(pk=run.pk).exists()


def test_a_wrong_name_deletes_nothing(run: Run, owner: User) -> None:
    with pytest.raises(ServiceError, match="Type the run's name"):
        run_delete(run=run, user=owner, name="another")
    assert Run.objects.filter(pk=run.pk).exists()


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.RUNNING])
def test_what_has_not_ended_stays(run: Run, owner: User, state: RunState) -> None:
    Run.objects.filter(pk=run.pk).update(state=state)
    with pytest.raises(ServiceError, match="not ended yet"):
        run_delete(run=run, user=owner, name=run.name)
    with pytest.raises(ServiceError, match="not ended yet"):
        run_archive(run=run, user=owner)


def test_what_may_still_run_on_a_host_stays(run: Run, admin: User) -> None:
    attempt = Attempt.objects.get(case__run=run)
    row = AbandonedAttempt.objects.create(attempt=attempt, host=create_host(), reason="gone")
    with pytest.raises(ServiceError, match="ended unconfirmed"):
        run_delete(run=run, user=admin, name=run.name)
    AbandonedAttempt.objects.filter(pk=row.pk).update(ended_at=run.queued_at)
    run_delete(run=run, user=admin, name=run.name)


def test_what_left_folders_on_a_host_stays(owner: User) -> None:
    host = create_host(name="node7")
    run = create_run(owner=owner, target=create_disk(host=host, owner=owner))
    attempt = create_attempt(run.cases.get(), host_files_removed_at=None)
    Attempt.objects.filter(pk=attempt.pk).update(contact_at=run.queued_at)
    Run.objects.update(state=RunState.FAILED)
    with pytest.raises(ServiceError, match="still on node7"):
        run_delete(run=run, user=owner, name=run.name)
    Run.objects.update(origin=Origin.IMPORTED)
    run_delete(run=run, user=owner, name=run.name)


def test_the_page_wants_the_name(run: Run, owner_client: Client) -> None:
    address = reverse("run_delete", args=[run.pk])
    page = owner_client.get(address).content.decode()
    assert "Its case goes with all it measured" in page
    size = Artifact.objects.filter(attempt__case__run=run).aggregate(size=Sum("size"))["size"]
    assert f"{size:,} bytes" in page
    answer = owner_client.post(address, {"name": "no"})
    assert "Type the run" in answer.content.decode()
    assert Run.objects.filter(pk=run.pk).exists()
    answer = owner_client.post(address, {"name": run.name})
    assert answer.headers["Location"] == reverse("run_list")
    assert not Run.objects.filter(pk=run.pk).exists()


def test_a_page_says_why_it_cannot_be_deleted(run: Run, owner_client: Client) -> None:
    Run.objects.update(state=RunState.RUNNING)
    page = owner_client.get(reverse("run_delete", args=[run.pk])).content.decode()
    assert "not ended yet" in page
    assert 'name="name"' not in page


def test_pages_of_others(run: Run, viewer_client: Client, stranger_client: Client) -> None:
    for client in (viewer_client, stranger_client):
        for name in ("run_delete", "run_archive"):
            assert client.post(reverse(name, args=[run.pk])).status_code == 403
        page = client.get(reverse("run_detail", args=[run.pk])).content.decode()
        assert reverse("run_delete", args=[run.pk]) not in page
        assert reverse("run_archive", args=[run.pk]) not in page


def test_the_api_deletes_and_archives(
    run: Run, api: Api, owner: User, viewer: User, stranger: User
) -> None:
    address = f"/api/v1/runs/{run.pk}/"
    for user, status in ((None, 401), (viewer, 403), (stranger, 403)):
        assert api(user).delete(address, {"name": run.name}).status_code == status
        assert api(user).post(f"{address}archive/").status_code == status
    assert api(owner).delete(address).status_code == 400
    assert api(owner).delete(address, {"name": "x"}).status_code == 400
    assert api(owner).post(f"{address}archive/").json()["archived_at"]
    assert api(viewer).get(address).status_code == 200
    ids = [row["id"] for row in api(viewer).get("/api/v1/runs/").json()["results"]]
    assert run.pk not in ids
    shown = api(viewer).get("/api/v1/runs/?archived=true").json()["results"]
    assert run.pk in [row["id"] for row in shown]
    back = api(owner).post(f"{address}archive/", {"archived": False})
    assert back.json()["archived_at"] is None
    assert api(owner).delete(address, {"name": run.name}).status_code == 204


def test_archived_runs_are_hidden_and_found(run: Run, owner: User, owner_client: Client) -> None:
    own = reverse("run_detail", args=[run.pk])
    assert own in owner_client.get(reverse("run_list")).content.decode()
    owner_client.post(reverse("run_archive", args=[run.pk]))
    assert own not in owner_client.get(reverse("run_list")).content.decode()
    assert own in owner_client.get(reverse("run_list"), {"archived": "on"}).content.decode()
    page = owner_client.get(own).content.decode()
    assert "in no list and no picker" in page
    owner_client.post(reverse("run_archive", args=[run.pk]), {"restore": "1"})
    assert own in owner_client.get(reverse("run_list")).content.decode()
    actions = AuditEntry.objects.filter(object_id=str(run.pk)).values_list("action", flat=True)
    assert {"archive", "restore"} <= set(actions)


def test_who_may_archive(run: Run, viewer: User, stranger: User, admin: User) -> None:
    for user in (viewer, stranger):
        with pytest.raises(PermissionDenied):
            run_archive(run=run, user=user)
    assert run_archive(run=run, user=admin).archived_at

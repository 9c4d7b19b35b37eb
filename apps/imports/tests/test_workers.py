"""Large imports are a worker's; a lost message, a dead worker or two at once lose nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.imports.domain import limits
from apps.imports.models import FileState, Import, ImportState
from apps.imports.services import (
    import_read,
    import_store,
    import_write,
    lease,
    read,
    request,
    store,
)
from apps.imports.tasks import advance
from apps.imports.tests.factories import create_import, team_files
from apps.runs.models import Run


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Everything is large; what would be told to a worker."""
    told: list[int] = []
    monkeypatch.setattr(request, "READ_AT_ONCE_FILES", 0)
    monkeypatch.setattr(request, "send", lambda _name, pk: told.append(pk))
    return told


@pytest.mark.django_db(transaction=True)
def test_a_large_import_waits_for_a_worker(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    assert (imported.state, hints) == (ImportState.RECEIVED, [imported.pk])
    advance(imported.pk)
    imported.refresh_from_db()
    assert imported.state == ImportState.READ
    import_store(imported=imported, user=owner)
    assert hints == [imported.pk] * 2
    advance(imported.pk)
    imported.refresh_from_db()
    assert imported.state == ImportState.STORED


@pytest.mark.django_db(transaction=True)
def test_whoever_looks_sends_a_lost_message_again(
    owner_client: Client, owner: User, hints: list[int]
) -> None:
    imported = create_import(owner)
    for where in (f"/imports/{imported.pk}/", f"/imports/{imported.pk}/state/"):
        hints.clear()
        assert owner_client.get(where).status_code == 200
        assert hints == [imported.pk]
    Import.objects.update(lease_until=timezone.now() + timedelta(seconds=30))
    hints.clear()
    owner_client.get(f"/imports/{imported.pk}/")
    assert hints == []


def test_two_workers_read_once(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    Import.objects.update(lease_until=timezone.now() + timedelta(seconds=30))
    assert not import_read(import_id=imported.pk)
    Import.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert import_read(import_id=imported.pk)
    assert not import_read(import_id=imported.pk)


def test_a_dead_readers_work_is_gone_on_with(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    imported.files.filter(number=1).update(state=FileState.FAILED, parse_error="read before")
    import_read(import_id=imported.pk)
    states = list(imported.files.order_by("number").values_list("state", flat=True))
    assert states == [FileState.FAILED] + [FileState.PARSED] * 5


def test_storing_twice_is_one_run(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    import_read(import_id=imported.pk)
    import_store(imported=imported, user=owner)
    assert import_write(import_id=imported.pk)
    assert not import_write(import_id=imported.pk)
    assert Run.objects.count() == 1


@pytest.mark.timeout(60)
@pytest.mark.django_db(transaction=True)
def test_a_turn_that_takes_too_long_is_not_given_to_somebody_else(
    owner: User, hints: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everything would be in the archive twice."""
    imported = create_import(owner)
    import_read(import_id=imported.pk)
    import_store(imported=imported, user=owner)
    monkeypatch.setattr(lease, "LEASE_TIME", timedelta(0))
    write, others = store._run_write, []

    def second() -> bool:
        try:
            return import_write(import_id=imported.pk)
        finally:
            connection.close()

    def overtaken(row: Import) -> Run:
        with ThreadPoolExecutor(1) as pool:
            others.append(pool.submit(second).result(timeout=30))
        return write(row)

    monkeypatch.setattr(store, "_run_write", overtaken)
    assert import_write(import_id=imported.pk)
    assert others == [False]
    assert Run.objects.count() == 1


@pytest.mark.parametrize("error", [PermissionDenied(), KeyError("a defect")])
def test_what_cannot_be_stored_does_not_stay_being_stored(
    owner: User, hints: list[int], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    imported = create_import(owner)
    import_read(import_id=imported.pk)
    import_store(imported=imported, user=owner)

    def fail(*_args: object) -> None:
        raise error

    monkeypatch.setattr(store, "_host", fail)
    assert import_write(import_id=imported.pk)
    imported.refresh_from_db()
    assert imported.state == ImportState.READ
    assert imported.reason
    assert Run.objects.count() == 0


def test_the_last_answer_of_the_poll_ends_it(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    assert owner_client.get(f"/imports/{imported.pk}/state/").status_code == 286


def test_what_is_read_at_once_is_modest() -> None:
    assert limits.READ_AT_ONCE_BYTES <= limits.MIB


def test_a_request_stops_reading_when_its_time_is_up(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(request, "READ_AT_ONCE_SECONDS", -1.0)
    monkeypatch.setattr(request, "import_hint", lambda imported: told.append(imported.pk))
    imported = create_import(owner)
    assert (imported.state, imported.lease_until) == (ImportState.RECEIVED, None)
    assert told == [imported.pk]
    assert import_read(import_id=imported.pk)


def test_what_was_read_before_the_time_was_up_stays_read(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter([0.0, 0.0, 0.5, 1.5])
    monkeypatch.setattr(request, "READ_AT_ONCE_SECONDS", 1.0)
    monkeypatch.setattr(request, "import_hint", lambda imported: None)
    monkeypatch.setattr(read, "monotonic", lambda: next(moments))
    imported = create_import(owner)
    monkeypatch.undo()
    states = list(imported.files.order_by("number").values_list("state", flat=True))
    assert states == ["parsed"] * 2 + ["waiting"] * 4
    assert import_read(import_id=imported.pk)
    assert not imported.files.filter(state=FileState.WAITING).exists()


@pytest.mark.django_db(transaction=True)
def test_a_large_dry_run_is_a_workers(
    api: Callable[[User | None], APIClient], owner: User, hints: list[int]
) -> None:
    client = api(owner)
    files = [SimpleUploadedFile(each.path, each.data) for each in team_files()]
    answer = client.post("/api/v1/imports/", {"file": files, "dry_run": "true"}, format="multipart")
    where = answer.headers["Location"]
    assert (answer.status_code, answer.data["state"]) == (202, "received")
    assert hints == [answer.data["id"]]
    advance(answer.data["id"])
    found = client.get(where).data
    assert (found["state"], found["dry_run"]) == ("read", True)
    assert found["counts"]["parsed"] == 6
    assert client.get("/api/v1/imports/").data["results"] == []
    assert client.post(f"{where}store/").status_code == 409
    Import.objects.update(created_at=timezone.now() - limits.DRY_RUN_STAYS)
    create_import(owner)
    assert client.get(where).status_code == 404

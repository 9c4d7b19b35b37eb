"""Large imports are a worker's; a lost message, a dead worker or two at once lose nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.imports import limits
from apps.imports.models import FileState, Import, ImportState
from apps.imports.services import import_read, import_store, import_write, request
from apps.imports.tasks import advance
from apps.imports.tests.factories import create_import
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
    Import.objects.update(busy_until=timezone.now() + timedelta(seconds=30))
    hints.clear()
    owner_client.get(f"/imports/{imported.pk}/")
    assert hints == []


def test_two_workers_read_once(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    Import.objects.update(busy_until=timezone.now() + timedelta(seconds=30))
    assert not import_read(import_id=imported.pk)
    Import.objects.update(busy_until=timezone.now() - timedelta(seconds=1))
    assert import_read(import_id=imported.pk)
    assert not import_read(import_id=imported.pk)


def test_a_dead_readers_work_is_gone_on_with(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    imported.files.filter(number=1).update(state=FileState.REFUSED, refusal="read before")
    import_read(import_id=imported.pk)
    states = list(imported.files.order_by("number").values_list("state", flat=True))
    assert states == [FileState.REFUSED] + [FileState.UNDERSTOOD] * 5


def test_storing_twice_is_one_run(owner: User, hints: list[int]) -> None:
    imported = create_import(owner)
    import_read(import_id=imported.pk)
    import_store(imported=imported, user=owner)
    assert import_write(import_id=imported.pk)
    assert not import_write(import_id=imported.pk)
    assert Run.objects.count() == 1


def test_the_last_answer_of_the_poll_ends_it(owner_client: Client, owner: User) -> None:
    imported = create_import(owner)
    assert owner_client.get(f"/imports/{imported.pk}/state/").status_code == 286


def test_what_is_read_at_once_is_modest() -> None:
    assert limits.READ_AT_ONCE_BYTES <= 16 * limits.MIB

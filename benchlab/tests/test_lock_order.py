"""Two services at the same time, of which each needs a row that the other has: no deadlock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction

from apps.accounts.models import User
from apps.accounts.services.people import user_save
from apps.runs.models import Run
from apps.runs.services.annotations import run_tag
from apps.runs.tests.factories import create_run

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
PATIENCE = 20.0


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool
        pool.submit(connections.close_all).result()


def wait_for_a_waiting_lock() -> None:
    deadline = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while cursor.execute(WAITING).fetchone() == (0,):
            assert time.monotonic() < deadline
            time.sleep(0.02)


@pytest.mark.django_db(transaction=True)
def test_user_who_is_changed_while_they_tag_a_run_is_changed_and_the_run_tagged(
    owner: User, admin: User, thread: ThreadPoolExecutor
) -> None:
    run = create_run(owner=owner)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=owner.pk)
        tagged = thread.submit(lambda: run_tag(run=run, user=owner, add=["night"]))
        wait_for_a_waiting_lock()
        owner.first_name = "Renamed"
        user_save(user=owner, by=admin, teams=[], password="a long new password")
    tagged.result(PATIENCE)
    assert User.objects.get(pk=owner.pk).first_name == "Renamed"
    assert Run.objects.get(pk=run.pk).tags == ["night"]

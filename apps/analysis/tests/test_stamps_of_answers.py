"""Every table that a view reads is in the stamp of its answers, and what is kept is what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction
from django.http import QueryDict

from apps.accounts.models import User
from apps.analysis.answers import Answer
from apps.analysis.basis import basis_of
from apps.analysis.renderings.documents import answer_document
from apps.analysis.rooms import ROOMS
from apps.analysis.stamps import TABLES
from apps.analysis.tests.archive import archive_fill

KEPT = (
    "compare", "sweep", "table", "network", "medians", "history", "fleet", "distribution",
)  # fmt: skip
NEVER_CHANGED = {
    "inventory_hostfacts",  # a new row for other facts; a figure names its row
    "accounts_user", "accounts_team", "plans_testplan",  # fetched with others, not shown
}  # fmt: skip
YEARS = {
    "results_measurement", "runs_attempt",  # the way from a figure to its series
    "runs_run", "runs_case",  # fetched with baselines, not shown
}  # fmt: skip
ASKED = re.compile(r'(?:FROM|JOIN) "?([a-z]+_\w+)')
OF_A_RUN = re.compile(r"/runs/(\d+)/")


@pytest.fixture(scope="module")
def archive(module_owner: User, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """Addresses of a question to each view."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield archive_fill(module_owner)
        transaction.set_rollback(True)


def question_to(archive: dict[str, str], view: str) -> QueryDict:
    """The query of a view's address, as its room has it."""
    path, query = urlsplit(archive["report" if view == "medians" else view])[2:4]
    of_run = OF_A_RUN.search(path)
    return QueryDict("&".join(filter(None, (f"run={of_run[1]}" if of_run else "", query))))


@pytest.mark.django_db
@pytest.mark.parametrize("view", KEPT)
@pytest.mark.parametrize("delta", ["", "-delta"])
def test_every_table_that_is_read_is_in_the_stamp(
    archive: dict[str, str], view: str, delta: str
) -> None:
    room = ROOMS[view]
    if view + delta not in archive and view != "medians":
        return
    question = room.question(question_to(archive, view + delta if view != "medians" else view))
    basis = basis_of(view, question)
    assert basis is not None
    read: set[str] = set()

    def seen(execute: Any, sql: str, *more: Any) -> Any:
        read.update(ASKED.findall(sql))
        return execute(sql, *more)

    with connection.execute_wrapper(seen):
        answer = room.answer(question)
    assert answer.tables
    assert "results_figure" in read
    read -= YEARS if view in ("history", "fleet") else set()
    assert read - NEVER_CHANGED <= set(basis.tables)
    assert set(basis.tables) <= set(TABLES)


@pytest.mark.django_db
@pytest.mark.parametrize("view", KEPT)
def test_what_is_kept_is_what_was_worked_out(archive: dict[str, str], view: str) -> None:
    room, data = ROOMS[view], question_to(archive, view)
    worked_out = room.answer(room.question(data))
    room.asked(data)
    again = replace(room, answer=forbidden).asked(data)
    assert answer_document(again) == answer_document(worked_out)


def forbidden(_question: Any) -> Answer:
    raise AssertionError("it was worked out again")

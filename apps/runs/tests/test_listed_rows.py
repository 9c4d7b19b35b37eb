"""Rows of the list of runs are kept by what they show: a change is seen at once, and readers with
other preferences have their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import TextField
from django.db.models.functions import Cast
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from apps.accounts.models import User
from apps.common.preferences import Preferences, preferred
from apps.runs.models import Run, RunState
from apps.runs.pages import run_rows
from apps.runs.pages.run_rows import ListedRow, listed_rows
from apps.runs.selectors import runs_as_lines
from apps.runs.tests.factories import create_run, end_run
from apps.tools.sentences import sentence

LAUNCHED = timezone.now().replace(microsecond=0) - timedelta(days=3)


@pytest.fixture
def run(owner: User) -> Run:
    run = end_run(create_run(owner=owner), RunState.FAILED, sentence("%(n)d failed", n=1))
    Run.objects.filter(pk=run.pk).update(queued_at=LAUNCHED, note="first", tags=["night"])
    return run


def row_of(run: Run) -> ListedRow:
    (row,), _queue = listed_rows(runs_as_lines().filter(pk=run.pk), [])
    return row


def test_a_row_says_what_the_run_is(run: Run, owner: User) -> None:
    row = row_of(run)
    host = run.cases.get().host
    assert (row.number, row.title, row.owner) == (str(run.pk), f"{run.name} #{run.pk}", "owner")
    assert (row.note, row.tags, row.reason) == ("first", ("night",), "1 failed")
    assert (row.is_final, row.is_imported, row.is_archived) == (True, False, False)
    assert (row.hosts, re.sub("<.*?>", "", row.cases)) == (host.name, "1")
    assert 'data-state="failed"' in row.badge
    assert "3 d ago" in row.launched
    assert row_of(run) is row


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "another"},
        {"note": "second"},
        {"tags": ["day"]},
        {"state": RunState.LOST},
        {"reason": "2 failed"},
        {"case_count": 2},
        {"archived_at": LAUNCHED},
        {"queued_at": LAUNCHED - timedelta(seconds=1)},
        {"started_at": LAUNCHED},
        {"origin": "imported"},
    ],
)
def test_what_changes_is_seen_at_once(run: Run, changed: dict[str, object]) -> None:
    before = row_of(run)
    Run.objects.filter(pk=run.pk).update(**changed)
    assert row_of(run) != before


def test_who_is_named_otherwise_and_where_it_ran_are_seen_at_once(run: Run, owner: User) -> None:
    row_of(run)
    User.objects.filter(pk=owner.pk).update(username="olga")
    assert row_of(run).owner == "olga"


def test_a_run_that_goes_on_counts_on(owner: User) -> None:
    run = create_run(owner=owner, repeats=2)
    assert re.sub("<.*?>", "", row_of(run).cases) == "0 / 2"
    run.cases.filter(position=0).update(state="failed")
    assert re.sub("<.*?>", "", row_of(run).cases) == "1 / 2"
    Run.objects.filter(pk=run.pk).update(cancel_requested_at=LAUNCHED)
    assert 'data-state="cancelling"' in row_of(run).badge


def test_a_sentence_is_not_taken_for_a_text_with_its_words(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text of a tool stays; what benchlab says is said in the reader's language."""
    monkeypatch.setattr(run_rows, "said", lambda text: f"{type(text).__name__}: {text}")
    assert row_of(run).reason == "Sentence: 1 failed"
    Run.objects.filter(pk=run.pk).update(reason="1 failed")
    assert Run.objects.values_list(Cast("reason", TextField())).get(pk=run.pk) == ("1 failed",)
    assert row_of(run).reason == "str: 1 failed"


def test_each_reader_has_their_own_zone_and_language(run: Run) -> None:
    usual = row_of(run)
    with preferred(Preferences(zone="Asia/Tokyo")):
        assert "JST" in row_of(run).launched
    with translation.override("de"):
        assert row_of(run) is not usual
    assert row_of(run) is usual
    assert "UTC" in usual.launched


def test_pages_of_people_with_other_zones(
    run: Run, owner: User, viewer: User, stranger: User, page_client: Callable[[User], Client]
) -> None:
    User.objects.filter(pk=viewer.pk).update(zone="Asia/Tokyo")
    clients = [page_client(one) for one in (owner, viewer, stranger)]
    for _again in range(2):
        owners, viewers, strangers = (
            client.get(reverse("run_list")).content.decode() for client in clients
        )
        assert ("JST" in owners, "JST" in viewers, "JST" in strangers) == (False, True, False)
        chosen = reverse("runs_chosen")
        assert (chosen in owners, chosen in viewers, chosen in strangers) == (True, False, True)
        assert ">viewer<" not in owners + strangers

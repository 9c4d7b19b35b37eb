"""Pages of runs are kept by a stamp: whatever changes what they show is shown at the next ask, and
nobody gets what another may see or do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_team
from apps.common.web.kept_pages import PAGES
from apps.inventory.models import Host
from apps.runs.keeping import run_archive
from apps.runs.models import Attempt, Case, Pulse, Run, RunChange, RunState
from apps.runs.models.states import CaseState, Fault
from apps.runs.processes.pulses import process_name, pulse_end, pulse_note
from apps.runs.services import event_record, run_annotate, run_retry
from apps.runs.stamps import FirstSeen, documents_stamp, list_stamp, run_stamp
from apps.runs.tests.factories import create_attempt, create_run, end_run
from apps.tuning.models import TuningProfile

TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*')
AS_IT_IS = FirstSeen.is_settled


@pytest.fixture(autouse=True)
def _settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a test's transaction it is chance whether another one is older."""
    monkeypatch.setattr(FirstSeen, "is_settled", lambda *_: True)
    PAGES.clear()


@pytest.fixture
def run(owner: User) -> Run:
    """One that has ended: a case failed, another succeeded, with an expectation and a decision."""
    profile = TuningProfile.objects.create(name="fast", owner=owner)
    run = create_run(owner=owner, repeats=2, tunings=(profile,))
    first, *others = run.cases.all()
    for case in others:
        create_attempt(case)
    create_attempt(first, state="failed", reason="no space left", fault=Fault.HOST)
    event_record(run, "began", "it began")
    return end_run(run)


def asked(client: Client, run: Run) -> list[str]:
    """The run's page, its parts, the list of runs and the API's, without tokens."""
    parts = (f"parts/{part}/" for part in ("status", "cases", "facts", "diary"))
    paths = [*(f"/runs/{run.pk}/{part}" for part in ("", *parts)), "/runs/", "/api/v1/runs/"]
    return [TOKEN.sub(r"\1", client.get(path).content.decode()) for path in paths]


def give_up(run: Run) -> None:
    attempt = Attempt.objects.filter(case__run=run).latest("pk")
    attempt.given_up.create(host=attempt.case.host, reason="why", resources=[])


CHANGES: dict[str, Callable[[Run, User], object]] = {
    "state of a case": lambda run, _user: run.cases.filter(position=0).update(
        state=CaseState.PENDING, reason="", fault=""
    ),
    "reason of a case": lambda run, _user: run.cases.filter(position=0).update(reason="no host"),
    "a case more": lambda run, _user: Case.objects.create(
        **Case.objects.filter(run=run).values(
            "run_id", "workload_id", "run_target_id", "run_tuning_id", "state"
        )[0],
        position=99,
    ),
    "a case less": lambda run, _user: run.cases.filter(position=0).delete(),
    "an attempt that does not count": lambda run, _user: Attempt.objects.filter(
        case__run=run, state="succeeded"
    ).update(valid=False, invalid_reason="it was cold"),
    "another attempt": lambda run, _user: create_attempt(run.cases.earliest("position")),
    "a line of the diary": lambda run, _user: event_record(run, "said", "a word more"),
    "a note": lambda run, user: run_annotate(run=run, user=user, note="mine", tags=run.tags),
    "a tag": lambda run, user: run_annotate(run=run, user=user, note=run.note, tags=["new-tag"]),
    "archived": lambda run, user: run_archive(run=run, user=user),
    "a name": lambda run, _user: Run.objects.filter(pk=run.pk).update(name="another name"),
    "a team": lambda run, _user: Run.objects.filter(pk=run.pk).update(team=create_team()),
    "the owner's name": lambda _run, user: User.objects.filter(pk=user.pk).update(username="zoe"),
    "a limit": lambda run, _user: run.untils.create(within=3, first_block=1, last_block=2),
    "a decision": lambda run, _user: run.decisions.create(
        position=1, rule="r", block=1, reason="all is decided"
    ),
    "the name of a target": lambda run, _user: run.targets.update(name="another target"),
    "the name of a tuning": lambda run, _user: run.tunings.update(name="another tuning"),
    "an expectation": lambda run, _user: run.targets.get().expectations.create(
        workload=run.cases.all()[0].workload,
        position=0,
        metric="iops",
        direction="least",
        value=1,
        bound=1,
    ),
    "given up": lambda run, _user: give_up(run),
    "retried": lambda run, user: run_retry(run=run, user=user),
}
UNSEEN = {"an expectation", "given up", "a limit"}
"""They are shown only beside other things; that they are noted is seen all the same."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_shown_at_once(
    name: str, run: Run, owner: User, viewer_client: Client, owner_client: Client
) -> None:
    clients = (viewer_client, owner_client)
    before = [[asked(client, run) for _twice in range(2)][1] for client in clients]
    noted = _versions(run)
    CHANGES[name](run, owner)
    after = [asked(client, run) for client in clients]
    PAGES.clear()
    # What goes on says for how long.
    assert name == "retried" or after == [asked(client, run) for client in clients]
    assert name in UNSEEN or all(x != y for x, y in zip(before, after, strict=True))
    assert name == "the owner's name" or _versions(run) != noted


def _versions(run: Run) -> object:
    row = Run.objects.get(pk=run.pk)
    return row.version, *RunChange.objects.filter(run=run).values_list("version", flat=True)


def test_what_runs_is_made_anew(owner: User, owner_client: Client) -> None:
    run = create_run(owner=owner)
    before = asked(owner_client, run)
    create_attempt(run.cases.get(), state="failed", reason="a reason")
    after = asked(owner_client, run)
    assert "a reason" in after[1]
    assert before != after


def test_each_reader_has_their_own_rights_menu_and_token(
    run: Run, owner: User, page_client: Callable[[User], Client], viewer: User, admin: User
) -> None:
    people = {user.username: page_client(user) for user in (owner, viewer, admin)}
    anew = {}
    for name, client in people.items():
        PAGES.clear()
        anew[name] = asked(client, run)
    kept = [{name: asked(client, run) for name, client in people.items()} for _twice in range(2)]
    assert kept == [anew, anew]
    assert len({told[0] for told in anew.values()}) == 3
    answers = [people[owner.username].get(f"/runs/{run.pk}/") for _twice in range(2)]
    tokens = [set(re.findall(r'csrfmiddlewaretoken" value="(\w{64})"', a.text)) for a in answers]
    assert [len(each) for each in tokens] == [1, 1]
    assert tokens[0] != tokens[1]
    assert people[owner.username].cookies["csrftoken"].value


def test_a_kept_page_s_token_is_good(run: Run, owner: User, owner_client: Client) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = owner_client.cookies
    for _kept in range(2):
        page = careful.get(f"/runs/{run.pk}/").text
    found = re.search(r'csrfmiddlewaretoken" value="(\w{64})"', page)
    assert found is not None
    data = {"note": "said so", "csrfmiddlewaretoken": found[1]}
    assert careful.post(f"/runs/{run.pk}/note/", data).status_code == 302
    # What was done is said once, on the next page, and what is kept after it does not say it.
    pages = [careful.get(f"/runs/{run.pk}/").text for _turn in range(3)]
    assert ["alert-success" in page for page in pages] == [True, False, False]
    assert all("said so" in page for page in pages)


def test_a_reader_who_got_another_role_has_its_buttons(
    run: Run, viewer: User, viewer_client: Client
) -> None:
    before = asked(viewer_client, run)
    User.objects.filter(pk=viewer.pk).update(role=Role.ADMIN)
    assert f"/runs/{run.pk}/note/" in asked(viewer_client, run)[0]
    assert f"/runs/{run.pk}/note/" not in before[0]
    User.objects.filter(pk=viewer.pk).update(role=Role.VIEWER)
    assert asked(viewer_client, run) == before


def test_words_of_time_are_those_of_now(run: Run, owner_client: Client, owner: User) -> None:
    now = timezone.now()
    with time_machine.travel(now + timedelta(minutes=5, seconds=30), tick=False):
        first = asked(owner_client, run)
        assert first == asked(owner_client, run)
    with time_machine.travel(now + timedelta(minutes=7, seconds=30), tick=False):
        later = asked(owner_client, run)
        PAGES.clear()
        assert later == asked(owner_client, run)
    assert "5 min ago" in first[0]
    assert "7 min ago" in later[0]


def test_whether_an_engine_is_there_is_said_of_now(owner: User, owner_client: Client) -> None:
    run, none = create_run(owner=owner), "no worker is running"

    def said() -> list[bool]:
        return [none in text for text in (*asked(owner_client, run)[-2:],)]

    assert said() == said() == [True, True]
    pulse_note(Pulse.Part.ENGINE, process_name())
    assert said() == said() == [False, False]
    pulse_end(Pulse.Part.ENGINE, process_name())
    assert said() == [True, True]


def test_a_host_without_a_kept_name_is_called_as_it_is_now(run: Run, owner_client: Client) -> None:
    host = Host.objects.get(pk=run.cases.all()[0].host_id)
    run.targets.get().members.update(host_name="")
    assert [host.name in text for text in (asked(owner_client, run)[5],)] == [True]
    Host.objects.filter(pk=host.pk).update(name="renamed-host")
    assert "renamed-host" in asked(owner_client, run)[5]


def test_a_run_that_was_deleted_is_gone(run: Run, owner_client: Client) -> None:
    event_record(run, "said", "noted")
    asked(owner_client, run)
    run.delete()
    assert owner_client.get(f"/runs/{run.pk}/").status_code == 404
    assert run.name not in owner_client.get("/runs/").text
    assert not RunChange.objects.exists()


def test_first_seen_waits_for_the_transactions_of_that_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(FirstSeen, "is_settled", AS_IT_IS)
    seen = FirstSeen()
    assert not seen.is_settled("a", oldest=10, next_one=12)
    assert not seen.is_settled("a", oldest=11, next_one=90)
    assert seen.is_settled("a", oldest=12, next_one=91)
    assert seen.is_settled("b", oldest=12, next_one=12)


@pytest.mark.django_db(transaction=True)
def test_who_wrote_before_the_end_and_commits_after_it_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, page_client: Callable[[User], Client], owner: User
) -> None:
    """Their change is noted by nobody, as they do not know that the run has ended."""
    monkeypatch.setattr(FirstSeen, "is_settled", AS_IT_IS)
    run, client = create_run(owner=owner), page_client(owner)
    create_attempt(run.cases.get(), state="failed", reason="at first")
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    late = connections.create_connection("default")
    with late.cursor() as cursor:
        late.set_autocommit(False)
        cursor.execute("UPDATE runs_case SET reason = 'at last' WHERE run_id = %s", [run.pk])
        with transaction.atomic():
            end_run(run)
        pages = [client.get(f"/runs/{run.pk}/").text for _turn in range(3)]
        late.commit()
    late.close()
    assert all("at first" in page for page in pages)
    assert "at last" in client.get(f"/runs/{run.pk}/").text


def test_a_restored_table_has_other_stamps(run: Run, owner: User) -> None:
    """It holds the versions of the backup, which are given again to what is written then."""
    before = run_stamp(run.pk, owner), list_stamp(50, 20, owner), documents_stamp(50)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE runs_run RENAME TO runs_before")
        cursor.execute("CREATE TABLE runs_run AS TABLE runs_before")
    after = run_stamp(run.pk, owner), list_stamp(50, 20, owner), documents_stamp(50)
    assert None not in before + after
    assert all(one != other for one, other in zip(before, after, strict=True))

"""The page of a comparison of ended runs is kept by a stamp: whatever changes what it shows is
shown at the next ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.analysis.compare.page import ended
from apps.analysis.compare.page.ended import ended_stamp
from apps.analysis.compare.question import Question
from apps.analysis.compare.tests.factories import Setup, create_measured_run
from apps.common.web.kept_pages import PAGES
from apps.inventory.models import Disk, Host
from apps.plans.models import TestPlan
from apps.results.models import Baseline, Measurement
from apps.runs.models import Attempt, Run, RunState
from apps.runs.stamps import FirstSeen

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*')
TABLE = re.compile(r"\b(?:accounts|inventory|plans|results|runs)_[a-z]+")
NEVER_CHANGED = {
    "inventory_hostfacts",  # a new row for other facts; an attempt names its row
    "plans_workload",  # what was measured is never called otherwise
    "accounts_user", "accounts_team",  # fetched with the session and with baselines, not shown
    "runs_addition",  # comes with cases and another state of its run
}  # fmt: skip
FOLLOWS = {"results_figure"}
"""Written by triggers of tables whose changes are noted."""


class World:
    """Two runs of a plan on one disk, and a baseline of it."""

    def __init__(self, owner: User) -> None:
        self.owner = owner
        self.plan = TestPlan.objects.create(name="nightly", owner=owner)
        setup = Setup(owner, plan=self.plan, gains={"Scheduler none": 1.1})
        self.first = create_measured_run(setup)
        target = self.first.targets.get().target
        self.disk = Disk.objects.get(target=target)
        again = Setup(owner, plan=self.plan, disk=self.disk, seed=2)
        self.second = create_measured_run(again)
        self.base = create_measured_run(Setup(owner, disk=self.disk, seed=3))
        self.baseline = Baseline.objects.create(
            owner=owner, run=self.base, target=target, name="as delivered"
        )

    @property
    def query(self) -> str:
        return f"plan={self.plan.pk}"


@pytest.fixture
def world(owner: User, monkeypatch: pytest.MonkeyPatch) -> World:
    """In a test's transaction it is chance whether another one is older."""
    monkeypatch.setattr(FirstSeen, "is_settled", lambda *_: True)
    PAGES.clear()
    return World(owner)


def page(client: Client, world: World) -> str:
    answer = client.get(f"/compare/?{world.query}")
    assert answer.status_code == 200
    return TOKEN.sub(r"\1", answer.text)


def results(world: World) -> Any:
    return Measurement.objects.filter(case__run=world.second)


CHANGES: dict[str, Callable[[World], object]] = {
    "figures read again": lambda w: results(w).update(iops=5, bandwidth=None),
    "invalid": lambda w: results(w).update(valid=False, invalid_reason="it was cold"),
    "another reason": lambda w: (
        Attempt.objects.filter(case__run=w.second).update(valid=False, invalid_reason="it shook")
    ),
    "a run more": lambda w: create_measured_run(Setup(w.owner, plan=w.plan, disk=w.disk, seed=5)),
    "a run less": lambda w: w.second.delete(),
    "another run's name": lambda w: Run.objects.filter(pk=w.first.pk).update(name="renamed"),
    "the plan's name": lambda w: TestPlan.objects.filter(pk=w.plan.pk).update(name="renamed"),
    "the disk's name": lambda w: Disk.objects.filter(pk=w.disk.pk).update(node="/dev/sdz"),
    "the host's name": lambda w: Host.objects.filter(pk=w.disk.host_id).update(name="renamed"),
    "the tuning's name": lambda w: w.first.tunings.filter(name="As found").update(name="renamed"),
    "the baseline's name": lambda w: Baseline.objects.update(name="renamed"),
    "a baseline less": lambda w: w.baseline.delete(),
    "a run that is offered": lambda w: create_measured_run(Setup(w.owner)),
    "a promise": lambda w: w.first.targets.get().expectations.create(
        workload=w.first.cases.all()[0].workload, position=0, metric="iops", direction="least",
        value=1, bound=1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_shown_at_once(name: str, world: World, viewer_client: Client) -> None:
    before = [page(viewer_client, world) for _twice in range(2)]
    CHANGES[name](world)
    after = page(viewer_client, world)
    PAGES.clear()
    assert before[0] == before[1] != after == page(viewer_client, world)


def test_every_table_that_the_page_reads_is_in_its_stamp_or_noted(
    world: World, viewer_client: Client
) -> None:
    noted = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE 'run_changed_by%'"
    with CaptureQueriesContext(connection) as queries:
        page(viewer_client, world)
    read = set(TABLE.findall(" ".join(query["sql"].partition(" FROM ")[2] for query in queries)))
    with connection.cursor() as cursor:
        cursor.execute(noted)
        known = {row[0] for row in cursor.fetchall()} | set(TABLE.findall(ended._QUERY))
    assert {"results_figure", "runs_case", "runs_decision", "plans_testplan"} <= read
    assert read - NEVER_CHANGED - FOLLOWS <= known


def test_nothing_is_kept_of_a_run_that_goes_on(world: World, viewer_client: Client) -> None:
    question = Question(plan=world.plan.pk)
    assert ended_stamp(question) is not None
    Run.objects.filter(pk=world.second.pk).update(state=RunState.RUNNING)
    assert ended_stamp(question) is None
    before = page(viewer_client, world)
    results(world).update(iops=5, bandwidth=None)
    assert page(viewer_client, world) != before


def test_each_reader_and_each_address_has_its_own(
    world: World, viewer_client: Client, owner_client: Client, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["one.test", "other.test"]

    def asked(client: Client, host: str) -> str:
        return TOKEN.sub(r"\1", client.get(f"/compare/?{world.query}", headers={"host": host}).text)

    places = [(c, h) for c in (viewer_client, owner_client) for h in ("one.test", "other.test")]
    kept = [[asked(*place) for place in places] for _twice in range(2)][1]
    anew = []
    for place in places:
        PAGES.clear()
        anew.append(asked(*place))
    assert kept == anew
    assert len(set(kept)) == 4


def test_a_question_in_another_order_is_sent_to_its_own_each_time(
    world: World, viewer_client: Client
) -> None:
    asked = f"/compare/?run={world.second.pk}&run={world.first.pk}"
    answers = [viewer_client.get(asked) for _twice in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert all(f"run={world.first.pk}&run" in answer.headers["Location"] for answer in answers)

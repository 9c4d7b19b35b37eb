"""Adding repeats: new blocks of the same tests in the same run."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.plans.schemas.steady_state import SteadyStateRule
from apps.runs.models import Case, CaseState, Run, RunState
from apps.runs.services.extension import repeats_add
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import (
    create_attempt,
    create_disk,
    create_host,
    create_plan,
    create_run,
    end_run,
)
from apps.tuning.models import TuningProfile


@pytest.fixture
def run(owner: User) -> Run:
    """Two block sizes under two tunings, four repeats in blocks of two, all measured."""
    tunings = tuple(
        TuningProfile.objects.create(name=name, owner=owner, settings=()) for name in "ab"
    )
    disk = create_disk(host=create_host(), owner=owner)
    params = {"rw": "randread", "bs": ["4k", "8k"], "iodepth": 4, "size": "16M", "runtime": 1}
    plan = create_plan(owner=owner, target=disk, tunings=tunings, params=params, repeats=4)
    run = run_launch(plan=plan, user=owner)
    for case in run.cases.all():
        create_attempt(case)
    return end_run(run, RunState.SUCCEEDED)


def added(run: Run) -> list[Case]:
    return list(run.cases.filter(state=CaseState.PENDING).order_by("sequence"))


def test_new_blocks_have_every_test_under_every_tuning(run: Run, owner: User) -> None:
    before = run.case_count
    run = repeats_add(run=run, user=owner, repeats=5)
    cases = added(run)
    assert (before, len(cases), run.case_count) == (16, 20, 36)
    assert run.state == RunState.QUEUED
    assert [case.sequence for case in cases] == list(range(16, 36))
    assert sorted({case.block for case in cases}) == [3, 4]
    for workload in {case.workload_id for case in cases}:
        mine = [case for case in cases if case.workload_id == workload]
        for tuning in {case.run_tuning_id for case in mine}:
            assert sorted(c.repeat for c in mine if c.run_tuning_id == tuning) == [5, 6, 7, 8, 9]


def test_chosen_tests_alone_get_more_under_every_tuning(run: Run, owner: User) -> None:
    one = run.cases.order_by("sequence")[3]
    run = repeats_add(run=run, user=owner, repeats=3, of=[one.pk])
    cases = added(run)
    assert {case.workload_id for case in cases} == {one.workload_id}
    assert len({case.run_tuning_id for case in cases}) == 2
    assert (len(cases), {case.block for case in cases}) == (6, {3, 4, 5})
    for case in cases:
        create_attempt(case)
    again = repeats_add(run=end_run(run, RunState.SUCCEEDED), user=owner, repeats=2)
    assert len(added(again)) == 8
    assert {case.repeat for case in added(again)} == {8, 9}


def test_tests_of_other_runs_are_refused(run: Run, owner: User) -> None:
    other = create_run(owner=owner)
    for of in ([other.cases.all()[0].pk], [run.cases.all()[0].pk, 2**60]):
        with pytest.raises(ServiceError, match="tests of this run"):
            repeats_add(run=run, user=owner, repeats=1, of=of)
    assert not added(run)


def test_nothing_chosen_is_not_everything(run: Run, owner_client: Client) -> None:
    address = reverse("run_add_repeats", args=[run.pk])
    page = owner_client.post(address, {"repeats": 2, "chosen": "1"}, follow=True)
    assert "Choose what is measured again first." in page.content.decode()
    wrong = owner_client.post(address, {"repeats": 2, "chosen": "1", "case": "x"}, follow=True)
    assert "Choose tests of this run." in wrong.content.decode()
    assert not added(run)
    case = run.cases.all()[0]
    page = owner_client.post(address, {"repeats": 2, "chosen": "1", "case": case.pk}, follow=True)
    assert "More repeats of the selected tests are queued" in page.content.decode()
    assert "adds 2 repeats of 1 test" in page.content.decode()
    assert len(added(run)) == 4


def test_the_api_takes_cases(run: Run, owner_client: Client) -> None:
    address = f"/api/v1/runs/{run.pk}/add-repeats/"
    kind = "application/json"
    of = [run.cases.all()[0].pk]
    both = owner_client.post(address, {"precision_percent": 3, "cases": of}, content_type=kind)
    assert both.status_code == 400
    told = owner_client.post(address, {"repeats": 1, "cases": of}, content_type=kind)
    assert told.status_code == 200, told.content
    assert len(added(run)) == 2


def test_targets_and_tunings_are_those_of_the_launch(run: Run, owner: User) -> None:
    shared = {(case.run_target_id, case.run_tuning_id) for case in run.cases.all()}
    run = repeats_add(run=run, user=owner, repeats=2)
    assert {(case.run_target_id, case.run_tuning_id) for case in added(run)} == shared
    assert run.targets.count() == 1


def test_each_addition_is_recorded(run: Run, owner: User) -> None:
    run = repeats_add(run=run, user=owner, repeats=4)
    for case in added(run):
        create_attempt(case)
    run = repeats_add(run=end_run(run, RunState.SUCCEEDED), user=owner, repeats=1)
    rows = run.extensions.exclude(position=0).values_list(
        "position", "repeats", "first_block", "last_block"
    )
    assert list(rows) == [(1, 4, 3, 4), (2, 1, 5, 5)]
    assert AuditEntry.objects.filter(action="add repeats").count() == 2


def test_only_what_has_ended_gets_more(run: Run, owner: User) -> None:
    run = repeats_add(run=run, user=owner, repeats=1)
    with pytest.raises(ServiceError, match="not ended"):
        repeats_add(run=run, user=owner, repeats=1)
    assert len(added(run)) == 4


def test_a_confirmed_wipe_does_not_hold_again(run: Run, owner: User) -> None:
    Run.objects.filter(pk=run.pk).update(wipe_confirmed_by=owner)
    assert repeats_add(run=run, user=owner, repeats=1).wipe_confirmed_by is None


@pytest.mark.parametrize("repeats", [0, 101])
def test_the_number_has_bounds(run: Run, owner: User, repeats: int) -> None:
    with pytest.raises(ServiceError, match="Between 1 and 100"):
        repeats_add(run=run, user=owner, repeats=repeats)


def test_the_page_of_an_ended_run_offers_it_to_who_may(
    run: Run, owner: User, stranger: User, viewer: User, client: Client
) -> None:
    address = reverse("run_add_repeats", args=[run.pk])
    for user, offered, status in ((viewer, False, 403), (stranger, False, 403), (owner, True, 302)):
        client.force_login(user)
        page = client.get(reverse("run_detail", args=[run.pk])).content.decode()
        assert (address in page) is offered
        assert client.post(address, {"repeats": 2}).status_code == status
    assert len(added(run)) == 8


def test_the_api_adds_repeats(run: Run, owner: User, client: Client) -> None:
    client.force_login(owner)
    address = reverse("v1:runs-add-repeats", args=[run.pk])
    answer = client.post(address, {"repeats": 0}, content_type="application/json")
    assert answer.status_code == 400
    answer = client.post(address, {"repeats": 3}, content_type="application/json")
    assert (answer.status_code, answer.json()["state"]) == (200, "queued")
    assert len(added(run)) == 12


@pytest.mark.parametrize(
    ("factor", "status"), [("param:bs", 200), ("tuning", 200), ("target", 400), ("param:rw", 400)]
)
def test_blocks_that_decide_between_other_things_exchange_them(
    run: Run, owner_client: Client, factor: str, status: int
) -> None:
    address = f"/api/v1/runs/{run.pk}/add-repeats/"
    body = {"precision_percent": 3, "factor": factor}
    answer = owner_client.post(address, body, content_type="application/json")
    assert answer.status_code == status, answer.json()
    if status == 400:
        assert "step that lists two" in str(answer.json()) or "two that do" in str(answer.json())
        return
    assert run.extensions.get(kind="until").factor == factor
    cases = added(run)
    assert len(cases) == 8
    sizes = [case.params["bs"] for case in cases]
    changes = sum(one != other for one, other in pairwise(sizes))
    assert (changes > 1) == (factor == "param:bs"), sizes


def test_rounds_decide_nothing(run: Run, owner_client: Client) -> None:
    run.spec = msgspec.structs.replace(run.spec, steady_state=SteadyStateRule(max_rounds=7))
    run.save()
    address = f"/api/v1/runs/{run.pk}/add-repeats/"
    answer = owner_client.post(address, {"precision_percent": 3}, content_type="application/json")
    assert answer.status_code == 400
    assert "until the disk is steady" in str(answer.json())
    assert not added(run)


def test_an_ended_run_offers_what_it_has_several_of(run: Run, owner_client: Client) -> None:
    page = owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    offered = re.findall(r'<option value="([^"]+)"[^>]*>([^<]+)</option>', page)
    assert ("tuning", "tunings") in offered
    assert ("param:bs", "values of bs") in offered
    assert "target" not in dict(offered)

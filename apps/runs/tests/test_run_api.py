"""Runs and cases through the API: who may, and what comes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.runs.models import Run, RunState
from apps.runs.services.artifacts import artifact_of
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_plan
from apps.runs.tests.factories import create_run as new_run

Api = Callable[[User | None], APIClient]
RUNS, CASES = "/api/v1/runs/", "/api/v1/cases/"


@pytest.fixture
def run(owner: User) -> Run:
    return new_run(owner=owner, repeats=2)


def test_everybody_with_a_login_reads(run: Run, api: Api, viewer: User, stranger: User) -> None:
    case = run.cases.order_by("sequence")[0]
    for user in (viewer, stranger):
        for address in (RUNS, f"{RUNS}{run.pk}/", CASES, f"{CASES}{case.pk}/"):
            assert api(user).get(address).status_code == 200
    assert api(None).get(RUNS).status_code == 401
    assert api(None).get(f"{CASES}{case.pk}/").status_code == 401


def test_a_launch_answers_with_the_run(api: Api, owner: User) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    answer = api(owner).post(RUNS, {"plan": plan.pk, "note": "n"}, headers={"Idempotency-Key": "k"})
    assert answer.status_code == 201
    again = api(owner).post(RUNS, {"plan": plan.pk}, headers={"Idempotency-Key": "k"})
    assert again.json()["id"] == answer.json()["id"]
    assert Run.objects.get().note == "n"


def test_who_may_not_launch(api: Api, owner: User, viewer: User, operator: User) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    assert api(viewer).post(RUNS, {"plan": plan.pk}).status_code == 403
    assert api(None).post(RUNS, {"plan": plan.pk}).status_code == 401
    wipe = api(operator).post(RUNS, {"plan": plan.pk, "confirm_wipe": True})
    assert wipe.status_code == 403
    assert "disk owner" in wipe.json()["error"]["message"]
    assert api(owner).post(RUNS, {"plan": plan.pk, "surprise": 1}).status_code == 400
    assert not Run.objects.exists()


@pytest.mark.parametrize("act", ["cancel", "retry"])
def test_acts_are_the_owners(
    act: str, run: Run, api: Api, viewer: User, stranger: User, admin: User
) -> None:
    address = f"{RUNS}{run.pk}/{act}/"
    assert api(viewer).post(address).status_code == 403
    assert api(stranger).post(address).status_code == 403
    assert api(None).post(address).status_code == 401
    assert api(admin).post(address).status_code in (200, 409)


def test_cancel_then_retry(run: Run, api: Api, owner: User) -> None:
    client = api(owner)
    early = client.post(f"{RUNS}{run.pk}/retry/")
    assert early.status_code == 409
    assert client.post(f"{RUNS}{run.pk}/cancel/").json()["state"] == RunState.CANCELLED
    assert client.post(f"{RUNS}{run.pk}/cancel/").json()["state"] == RunState.CANCELLED
    assert client.post(f"{RUNS}{run.pk}/retry/").json()["state"] == RunState.QUEUED


def test_only_the_note_can_be_changed(run: Run, api: Api, owner: User, stranger: User) -> None:
    address = f"{RUNS}{run.pk}/"
    assert api(owner).patch(address, {"note": "seen"}).json()["note"] == "seen"
    assert api(stranger).patch(address, {"note": "mine"}).status_code == 403
    api(owner).patch(address, {"state": "succeeded"})
    run.refresh_from_db()
    assert (run.note, run.state) == ("seen", RunState.QUEUED)


def test_raw_files_come_byte_for_byte(run: Run, api: Api, viewer: User) -> None:
    case = run.cases.order_by("sequence")[0]
    artifact_of(create_attempt(case), "result.json", bytes(range(256))).save()
    answer = api(viewer).get(f"{CASES}{case.pk}/attempts/1/artifacts/result.json/")
    assert answer.getvalue() == bytes(range(256))
    assert api(viewer).get(f"{CASES}{case.pk}/attempts/1/artifacts/other/").status_code == 404
    assert api(None).get(f"{CASES}{case.pk}/attempts/1/artifacts/result.json/").status_code == 401


def test_the_filters_of_the_page_are_those_of_the_api(run: Run, api: Api, viewer: User) -> None:
    host = run.cases.order_by("sequence")[0].host
    assert len(api(viewer).get(RUNS, {"host": host.pk}).json()["results"]) == 1
    assert api(viewer).get(RUNS, {"state": "running"}).json()["results"] == []
    assert len(api(viewer).get(CASES, {"run": run.pk}).json()["results"]) == 2

"""Runs are chosen in their list, and tests on a run's page, and compared together."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.runs.models import Run, RunState

pytestmark = pytest.mark.django_db


def test_ended_runs_are_chosen_and_compared(owner: User, viewer_client: Client) -> None:
    first, second = (create_measured_run(Setup(owner, repeats=2)) for _ in range(2))
    going_on = create_measured_run(Setup(owner, repeats=2))
    Run.objects.filter(pk=going_on.pk).update(state=RunState.RUNNING, finished_at=None)
    page = viewer_client.get("/runs/").content.decode()
    boxes = re.findall(r'form="chosen" name="run" value="(\d+)"', page)
    assert sorted(map(int, boxes)) == [first.pk, second.pk]
    form = page.split('id="chosen"')[1]
    assert 'action="/compare/"' in form.split(">")[0]
    answer = viewer_client.get(f"/compare/?run={first.pk}&run={second.pk}")
    assert answer.status_code == 200
    assert f"#{second.pk}" in answer.content.decode()


def test_selected_cases_are_compared_with_a_note(owner: User, viewer_client: Client) -> None:
    run = create_measured_run(Setup(owner, repeats=7, gains={"Scheduler none": 1.5}))
    page = viewer_client.get(f"/runs/{run.pk}/").content.decode()
    form = page.split('id="chosen-cases"')[1].split("</form>")[0]
    assert 'formaction="/compare/"' in form
    cases = [case.pk for case in run.cases.filter(repeat__lt=6)]
    answer = viewer_client.get("/api/v1/analysis/compare/", {"case": cases}).json()
    assert [one["verdict"] for one in answer["verdicts"]] == ["better"]
    assert answer["selection"] == {"case": sorted(cases)}
    (note,) = answer["notes"]
    assert note.startswith("Selected cases only")
    shown = viewer_client.get("/compare/", {"case": cases}, follow=True).content.decode()
    assert "Selected cases only" in shown
    whole = viewer_client.get("/api/v1/analysis/compare/", {"run": run.pk}).json()
    assert whole["notes"] == []

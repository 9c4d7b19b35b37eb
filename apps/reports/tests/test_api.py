"""Reports for scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import QueryDict
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.registry import VIEWS
from apps.reports.tests.factories import create_report, create_sweep_run

pytestmark = pytest.mark.django_db

Api = Callable[[User | None], APIClient]
BASE = "/api/v1/reports/"


def test_a_script_writes_reads_and_shares_a_report(owner: User, api: Api) -> None:
    run = create_sweep_run(owner)
    client = api(owner)
    sections = [{"text": "Six repeats."}, {"view": "sweep", "query": f"run={run.pk}"}]
    made = client.post(BASE, {"title": "Depths", "sections": sections}, format="json")
    assert made.status_code == 201, made.data
    report = f"{BASE}{made.data['id']}/"
    assert [one["view"] for one in made.data["sections"]] == ["", "sweep"]
    document = client.get(f"{report}document/").data
    assert document["sections"][0]["text"] == "Six repeats."
    assert document["sections"][1]["result"]["headline"].startswith(_headline(run.pk))
    assert client.get(f"{report}document/?format=md").content.startswith(b"# Depths")
    assert client.get(f"{report}document/?format=odt").status_code == 400
    link = client.post(f"{report}shares/", {"days": 3}, format="json").data
    assert client.get("/shared/" + link["address"].split("/shared/")[1]).status_code == 200
    listed = client.get(f"{report}shares/").data
    assert [(one["is_open"], one["view_count"]) for one in listed] == [(True, 1)]
    ended = client.post(f"{report}shares/{listed[0]['id']}/revoke/").data
    assert ended["is_open"] is False
    assert client.post(f"{report}freeze/").data["frozen_at"]
    assert client.patch(report, {"text": "x"}, format="json").status_code == 409
    assert client.delete(report).status_code == 204


def _headline(run: int) -> str:
    return VIEWS["sweep"].analyse(QueryDict(f"run={run}")).headline[0].text


def test_others_read_it_only(owner: User, viewer: User, stranger: User, api: Api) -> None:
    report = create_report(owner, create_sweep_run(owner))
    where = f"{BASE}{report.pk}/"
    for user in (viewer, stranger):
        client = api(user)
        assert client.get(where).data["title"] == "Findings"
        assert client.patch(where, {"title": "Mine"}, format="json").status_code == 403
        assert client.delete(where).status_code == 403
    assert api(viewer).post(f"{where}copy/").status_code == 403
    assert api(stranger).post(f"{where}copy/").data["owner"] == stranger.username


def test_wrong_sections_are_named(owner: User, api: Api) -> None:
    wrong = [{"text": "fine"}, {"view": "sweep", "query": "no=1"}]
    answer = api(owner).post(BASE, {"title": "x", "sections": wrong}, format="json")
    assert answer.status_code == 400
    assert list(answer.data["error"]["fields"]) == ["sections.1"]

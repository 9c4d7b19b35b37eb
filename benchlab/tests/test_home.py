"""The page one begins on, and whether benchlab is well."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.tests.factories import create_directory, create_host
from apps.runs.models import Heartbeat, Origin, Run, RunState
from apps.runs.services.heartbeats import heartbeat_record
from benchlab import views


def text(client: Client) -> str:
    response = client.get("/")
    assert response.status_code == 200
    return response.content.decode()


def test_a_new_installation_shows_the_first_steps(viewer_client: Client, viewer: User) -> None:
    page = text(viewer_client)
    assert "First steps" in page
    assert [step.done for step in views.first_steps()] == [False] * 5
    create_directory(owner=viewer, host=create_host())
    assert [step.done for step in views.first_steps()] == [True, True, False, False, False]


def test_the_steps_go_when_a_run_has_succeeded(viewer_client: Client, viewer: User) -> None:
    Run.objects.create(name="done", owner=viewer, state=RunState.SUCCEEDED)
    assert "First steps" not in text(viewer_client)


def test_what_runs_and_what_waits_and_why(viewer_client: Client, viewer: User) -> None:
    heartbeat_record(Heartbeat.Component.ENGINE, "box:1")
    Run.objects.create(name="busy", owner=viewer, state=RunState.RUNNING)
    Run.objects.create(name="patient", owner=viewer, reason="node-1 is used by run busy")
    Run.objects.create(name="fresh", owner=viewer)
    page = text(viewer_client)
    queue, latest = page.split("Latest results")
    assert "busy" in queue
    assert "node-1 is used by run busy" in queue
    assert "waits for a worker to take it" in queue
    assert "busy" not in latest


def test_home_page_of_imports_lists_them_apart_from_measured_runs(
    viewer_client: Client, viewer: User
) -> None:
    ended = {"owner": viewer, "state": RunState.SUCCEEDED}
    measured = Run.objects.create(name="measured", **ended)
    imported = Run.objects.create(name="imported", origin=Origin.IMPORTED, **ended)
    context = viewer_client.get("/").context
    assert [row.run for row in context["finished"]] == [measured]
    assert [row.run for row in context["imported"]] == [imported]


def test_it_costs_the_same_however_much_there_is(
    viewer_client: Client, viewer: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        create_host()
        Run.objects.create(name=f"run {number}", owner=viewer, state=RunState.RUNNING)
    with django_assert_max_num_queries(17):
        viewer_client.get("/")


def test_healthz_needs_neither_login_nor_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.parametrize(("broker", "status"), [(True, 200), (False, 503)])
def test_readyz_names_what_does_not_answer(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, broker: bool, status: int
) -> None:
    monkeypatch.setattr(views, "_broker_answers", lambda: broker)
    for part in Heartbeat.Component:
        heartbeat_record(part, "box:1")
    answer = client.get("/readyz")
    assert answer.status_code == status
    assert answer.json()["broker"] == ("ok" if broker else "no answer")


def test_readyz_survives_a_database_that_is_gone(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def cursor(self) -> None:
            raise DatabaseError("gone")

    monkeypatch.setattr(views, "connection", Gone())
    monkeypatch.setattr(views, "_broker_answers", lambda: True)
    assert client.get("/readyz").json()["database"] == "no answer"


def test_unknown_addresses_are_json_under_api_and_a_page_elsewhere(viewer_client: Client) -> None:
    missing = viewer_client.get("/api/v1/nothing/")
    assert missing.status_code == 404
    assert missing.json()["error"]["kind"] == "not_found"
    assert viewer_client.get("/nothing/")["Content-Type"].startswith("text/html")


def test_the_schema_needs_a_login_and_documents_refusals(
    api: Callable[[User | None], APIClient], viewer: User
) -> None:
    assert api(None).get("/api/v1/schema/").status_code == 401
    document = api(viewer).get("/api/v1/schema/?format=json").json()
    assert {"400", "401", "403", "404"} <= set(
        document["paths"]["/api/v1/hosts/"]["get"]["responses"]
    )
    assert document["components"]["securitySchemes"]["token"]["in"] == "header"

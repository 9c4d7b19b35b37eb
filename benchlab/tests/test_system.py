"""The words for people where a part of benchlab is not running."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.runs.models import Heartbeat
from apps.runs.services.heartbeats import heartbeat_record
from apps.runs.tests.factories import create_run
from benchlab import views
from benchlab.ops.doctor import tools as doctor_tools

ENGINE = Heartbeat.Component.ENGINE


@pytest.fixture
def stale(db: None) -> Heartbeat:
    """An engine that has said nothing for two minutes."""
    heartbeat_record(ENGINE, "box:1:abc")
    Heartbeat.objects.update(last_seen_at=Now() - timedelta(minutes=2))
    return Heartbeat.objects.get()


def test_readyz_says_who_is_not_running(
    client: Client, stale: Heartbeat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "_broker_answers", lambda: True)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "not ready",
        "database": "ok",
        "broker": "ok",
        "engine": "not running",
        "worker": "not running",
        "beat": "not running",
    }
    for part in Heartbeat.Component:
        heartbeat_record(part, "box:9")
    assert client.get("/readyz").json()["status"] == "ok"


def test_a_queued_run_says_that_nobody_would_take_it(
    viewer_client: Client,
    viewer: User,
    owner: User,
    stale: Heartbeat,
    api: Callable[[User | None], APIClient],
) -> None:
    run = create_run(owner=owner)
    pages = ("/", "/runs/", f"/runs/{run.pk}/")

    def text(page: str) -> str:
        return viewer_client.get(page).content.decode()

    assert ["no worker is running" in text(page) for page in pages] == [True] * 3
    assert "Runs stay queued because no worker is running." in text("/")
    told: Any = api(viewer).get(f"/api/v1/runs/{run.pk}/").json()
    assert told["reason"] == "no worker is running, so it stays queued until one is started"
    heartbeat_record(ENGINE, "box:4:aaa")
    assert ["no worker is running" in text(page) for page in pages] == [False] * 3
    assert api(viewer).get(f"/api/v1/runs/{run.pk}/").json()["reason"] == ""


def test_the_page_for_admins_says_what_to_do(admin_client: Client, stale: Heartbeat) -> None:
    page = admin_client.get("/system/").content.decode()
    assert "Not running" in page
    assert "docker compose up -d worker" in page
    assert 'data-state="not_running"' in page


def test_a_tool_that_cannot_be_used_is_named(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Tools of other packages" not in admin_client.get("/system/").content.decode()
    errors = {"theirs": "ImportError: no module <x>"}
    monkeypatch.setattr(views, "PLUGIN_ERRORS", errors)
    monkeypatch.setattr(doctor_tools, "PLUGIN_ERRORS", errors)
    text = admin_client.get("/system/").content.decode()
    assert "no module &lt;x&gt;" in text
    (finding,) = doctor_tools.tools()
    assert finding.level == "wrong"
    assert "theirs" in finding.text

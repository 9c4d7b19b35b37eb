"""The words for people where a part of benchlab is not running."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from django_celery_beat.models import IntervalSchedule, PeriodicTask
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from apps.accounts.models import Team, User
from apps.common.services import backup_record
from apps.runs.models import Heartbeat
from apps.runs.services.heartbeats import heartbeat_record
from apps.runs.tests.factories import create_run
from benchlab import views
from benchlab.ops.doctor import tools as doctor_tools
from benchlab.ops.upkeep import retention_rows
from benchlab.ops.versions import versions

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


@pytest.mark.parametrize(("age", "warns"), [(5.0, False), (61.0, True)])
def test_home_without_any_heartbeat_warns_only_after_the_start(
    viewer_client: Client, monkeypatch: pytest.MonkeyPatch, age: float, warns: bool
) -> None:
    monkeypatch.setattr(views, "STARTED", monotonic() - age)
    page = viewer_client.get("/").content.decode()
    assert ("Runs stay queued because no worker is running." in page) == warns


def test_home_with_an_old_heartbeat_warns_also_after_the_start(
    viewer_client: Client, stale: Heartbeat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "STARTED", monotonic())
    page = viewer_client.get("/").content.decode()
    assert "Runs stay queued because no worker is running." in page


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


def test_page_shows_backups_and_what_to_do_without_one(admin_client: Client) -> None:
    page = admin_client.get("/system/").content.decode()
    assert "No backup is recorded." in page
    for days in (8, 9):
        made = timezone.now() - timedelta(days=days)
        backup_record(name=f"/backups/{days}<b>", version="0.1", made_at=made, size_bytes=3 << 20)
    page = admin_client.get("/system/").content.decode()
    assert "older than a week" in page
    assert page.index("/backups/8&lt;b&gt;") < page.index("/backups/9&lt;b&gt;")
    assert ">3 MiB<" in page
    backup_record(name="pg_dump", version="0.1")
    page = admin_client.get("/system/").content.decode()
    assert "data-backup-remedy" not in page


def test_page_shows_retention_with_its_settings_and_last_start(
    admin_client: Client, settings: Settings
) -> None:
    daily = IntervalSchedule.objects.create(every=1, period="days")
    for name in ("accounts", "imports", "results", "runs"):
        PeriodicTask.objects.create(name=name, task=f"{name}.retention", interval=daily)
    assert {row.period for row in retention_rows()} == {"forever", "by fixed rules"}
    settings.RAW_RETENTION_MONTHS, settings.AUDIT_RETENTION_MONTHS = 1, 3
    Team.objects.create(name="a", raw_retention_months=6)
    task = PeriodicTask.objects.filter(task="runs.retention")
    task.update(last_run_at=timezone.now() - timedelta(days=3))
    raw, series, audit, rest = retention_rows()
    assert raw.period == "1 month; 1 team has its own rule"
    assert "due daily" in raw.remedy
    assert (series.period, audit.period) == ("forever", "12 months")
    assert (series.started_at, rest.started_at, rest.remedy) == (None, None, "")
    page = admin_client.get("/system/").content.decode()
    assert "due daily" in page
    assert page.count("not yet") == 3


def test_page_shows_versions(admin_client: Client) -> None:
    page = admin_client.get("/system/").content.decode()
    found = versions()
    for version in (found["version"], found["python"], found["postgresql"]):
        assert version in page

"""The nightly export, and where an admin sees its age."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from pytest_django.fixtures import Settings

from apps.lake import tasks
from apps.lake.models import LakeExport
from apps.lake.services.records import NEWEST, export_start
from apps.runs.services.beat import Scheduler
from benchlab.celery import app
from benchlab.env import env_lake
from benchlab.monitoring.families import Family
from benchlab.monitoring.work import work_families
from benchlab.ops.lake import lake
from benchlab.settings_lake import LAKE_SCHEDULE

DAY = timedelta(days=1)


def create_export(location: str, days: float, error: str = "") -> LakeExport:
    row = export_start(location=location, people=False, version="1")
    row.ended_at, row.error = timezone.now() - days * DAY, error
    row.months, row.files, row.rows, row.size_bytes = 1, 6, 1_234_567, 3 << 20
    row.save()
    return row


@pytest.mark.django_db
def test_system_page_doctor_and_metrics_show_the_age(
    admin_client: Client, settings: Settings
) -> None:
    def page() -> str:
        return admin_client.get("/system/").content.decode()

    def age() -> float | None:
        found: list[Family] = list(work_families(timezone.now()))
        (family,) = [one for one in found if one.name == "benchlab_lake_age_seconds"]
        value = family.samples[0].value
        return math.inf if value is None else value

    assert "data-lake" not in page()
    assert lake() == []
    settings.LAKE = "/srv/lake<b>"
    assert "data-lake-remedy" in page()
    assert [finding.level for finding in lake()] == ["note"]
    assert age() == math.inf
    create_export(settings.LAKE, days=0.5)
    create_export("/elsewhere", days=0)
    create_export(settings.LAKE, days=0, error="the disk is full <x>")
    assert "data-lake-remedy" not in page()
    assert "the disk is full &lt;x&gt;" in page()
    assert "/srv/lake&lt;b&gt;" in page()
    assert [finding.level for finding in lake()] == ["ok"]
    assert age() == pytest.approx(43_200, abs=60)
    LakeExport.objects.update(ended_at=timezone.now() - 3 * DAY)
    assert "data-lake-remedy" in page()
    assert "the disk is full" in lake()[0].text


@pytest.mark.django_db
def test_newest_records_and_the_last_success_stay() -> None:
    good = create_export("/srv/lake", days=9)
    for _number in range(NEWEST + 3):
        create_export("/srv/lake", days=1, error="no space")
    assert LakeExport.objects.count() == NEWEST + 1
    assert LakeExport.objects.filter(pk=good.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_nightly_task_exports_or_records_why_not(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.export()
    assert not LakeExport.objects.exists()  # beat keeps the row of a setting that is removed
    settings.LAKE, settings.LAKE_PEOPLE = str(tmp_path / "lake"), True
    killed = export_start(location=settings.LAKE, people=True, version="1")
    tasks.export()
    killed.refresh_from_db()
    assert killed.error
    assert LakeExport.objects.latest("pk").people
    assert LakeExport.objects.latest("pk").error == ""
    (tmp_path / "lake" / "mine.txt").touch()
    tasks.export()
    assert "mine.txt" in LakeExport.objects.latest("pk").error
    monkeypatch.setitem(app.conf.beat_schedule, "write the lake", LAKE_SCHEDULE["write the lake"])
    Scheduler(app=app, lazy=True).setup_schedule()
    task = PeriodicTask.objects.get(name="write the lake")
    assert (task.task, task.enabled, task.crontab.hour) == ("lake.export", True, "2")
    app.loader.import_default_modules()
    assert task.task in app.tasks


@pytest.mark.parametrize(
    ("raw", "location"),
    [
        ("", ""),
        ("/srv/lake/", "/srv/lake"),
        ("s3://bucket/a/b/", "s3://bucket/a/b"),
        ("s3://bucket", "s3://bucket"),
        ("lake", None),
        ("s3:///prefix", None),
        ("https://bucket/x", None),
    ],
)
def test_setting_is_a_folder_or_a_bucket(
    monkeypatch: pytest.MonkeyPatch, raw: str, location: str | None
) -> None:
    monkeypatch.setenv("BENCHLAB_LAKE", raw)
    if location is None:
        with pytest.raises(ImproperlyConfigured):
            env_lake("BENCHLAB_LAKE")
    else:
        assert env_lake("BENCHLAB_LAKE") == location

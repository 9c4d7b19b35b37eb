"""Tasks that beat starts by itself beside the users' schedules."""

from __future__ import annotations

import pytest
from django_celery_beat.models import PeriodicTask

from apps.runs.services.beat import Scheduler
from benchlab.celery import app


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "app_name",
    ["accounts", "alerts", "bookings", "imports", "inventory", "reports", "results", "runs"],
)
def test_each_app_with_due_rows_has_a_daily_task(app_name: str) -> None:
    Scheduler(app=app, lazy=True).setup_schedule()
    task = PeriodicTask.objects.get(name=f"retention of {app_name}")
    assert (task.task, task.enabled, task.expire_seconds) == (f"{app_name}.retention", True, 3600)
    assert (task.interval.every, task.interval.period) == (86400, "seconds")
    app.loader.import_default_modules()
    assert task.task in app.tasks

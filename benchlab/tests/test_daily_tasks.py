"""What beat does by itself beside the users' schedules."""

from __future__ import annotations

import pytest
from django_celery_beat.models import PeriodicTask

from apps.runs.beat import Scheduler
from benchlab.celery import app


@pytest.mark.django_db(transaction=True)
def test_ended_sessions_are_deleted_every_day() -> None:
    Scheduler(app=app, lazy=True).setup_schedule()
    task = PeriodicTask.objects.get(name="delete ended sessions")
    assert (task.task, task.enabled, task.expire_seconds) == ("accounts.clear_sessions", True, 3600)
    assert (task.interval.every, task.interval.period) == (86400, "seconds")
    app.loader.import_default_modules()
    assert task.task in app.tasks

"""Tasks that beat starts by itself beside the users' schedules."""

from __future__ import annotations

import pytest
from django_celery_beat.models import PeriodicTask

from apps.runs.services.beat import Scheduler
from benchlab.celery import app


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("what", "name", "seconds"),
    [
        ("delete ended sessions", "accounts.clear_sessions", 86400),
        ("remove raw output", "runs.retention", 86400),
        ("thin old series", "results.thin_series", 86400),
    ],
)
def test_what_is_done_by_itself(what: str, name: str, seconds: int) -> None:
    Scheduler(app=app, lazy=True).setup_schedule()
    task = PeriodicTask.objects.get(name=what)
    assert (task.task, task.enabled, task.expire_seconds) == (name, True, 3600)
    assert (task.interval.every, task.interval.period) == (seconds, "seconds")
    app.loader.import_default_modules()
    assert task.task in app.tasks

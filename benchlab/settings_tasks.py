"""Periodic tasks of benchlab itself."""

from __future__ import annotations

from typing import Any

from benchlab.settings_lake import LAKE, LAKE_SCHEDULE

# Users' schedules are rows. A message that no worker took within the hour expires.
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    "evaluate and send alerts": {
        "task": "alerts.evaluate",
        "schedule": 60,
        "options": {"expire_seconds": 55},
    },
    "advance acceptances of drives": {
        "task": "acceptance.advance",
        "schedule": 30,
        "options": {"expire_seconds": 25},
    },
    "begin and extend bookings": {
        "task": "runs.bookings",
        "schedule": 30,
        "options": {"expire_seconds": 25},
    },
    "record forecasts of the queue": {
        "task": "runs.forecast",
        "schedule": 60,
        "options": {"expire_seconds": 55},
    },
} | {
    f"retention of {app}": {
        "task": f"{app}.retention",
        "schedule": 24 * 3600,
        "options": {"expire_seconds": 3600},
    }
    for app in (
        *("accounts", "alerts", "bookings", "imports"),
        *("inventory", "reports", "results", "runs"),
    )
}
if LAKE:
    CELERY_BEAT_SCHEDULE |= LAKE_SCHEDULE

"""Settings of the lake (docs/howto/lake.md)."""

from __future__ import annotations

from typing import Any

from celery.schedules import crontab

from benchlab.env import env_bool, env_lake

# The folder or bucket of the nightly export, and whether it names people.
LAKE = env_lake("BENCHLAB_LAKE")
LAKE_PEOPLE = env_bool("BENCHLAB_LAKE_PEOPLE", False)
LAKE_SCHEDULE: dict[str, Any] = {
    "write the lake": {
        "task": "lake.export",
        "schedule": crontab(hour="2", minute="40"),
        "options": {"expire_seconds": 3600},
    }
}

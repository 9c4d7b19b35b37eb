"""The scheduler of django-celery-beat with heartbeats."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.db import DatabaseError
from django_celery_beat.schedulers import DatabaseScheduler

from apps.runs.models import Heartbeat
from apps.runs.selectors.heartbeats import INTERVAL_SECONDS, process_name
from apps.runs.services.heartbeats import heartbeat_end, heartbeat_record

log = logging.getLogger(__name__)


class Scheduler(DatabaseScheduler):  # type: ignore[misc] # it has no type information
    """Scheduler for `celery beat --scheduler apps.runs.services.beat:Scheduler`."""

    _heartbeat_at = -INTERVAL_SECONDS

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Launch due schedules. Return the seconds until the next call."""
        pause: float = super().tick(*args, **kwargs)
        if time.monotonic() - self._heartbeat_at >= INTERVAL_SECONDS:
            self._heartbeat()
        return pause

    def close(self) -> None:
        """Shut down and delete the heartbeat."""
        super().close()
        try:
            heartbeat_end(Heartbeat.Component.BEAT, process_name())
        except DatabaseError as error:
            log.warning("beat cannot note that it ends: %s", error)

    def _heartbeat(self) -> None:
        try:
            heartbeat_record(Heartbeat.Component.BEAT, process_name())
            self._heartbeat_at = time.monotonic()
        except DatabaseError as error:
            log.warning("beat cannot note that it is alive: %s", error)

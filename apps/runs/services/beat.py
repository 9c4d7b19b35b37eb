"""Beat's scheduler: django-celery-beat's, which says that it is alive each time it looks at the
schedules.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from django.db import DatabaseError
from django_celery_beat.schedulers import DatabaseScheduler

from apps.runs.models import Pulse
from apps.runs.selectors.heartbeats import EVERY, process_name
from apps.runs.services.heartbeats import heartbeat_end, heartbeat_record

log = logging.getLogger(__name__)


class Scheduler(DatabaseScheduler):  # type: ignore[misc] # it has no type information
    """Named in the command line of beat (`--scheduler apps.runs.services.beat:Scheduler`)."""

    _pulse_at = -EVERY

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Launch what is due; seconds until the next look."""
        pause: float = super().tick(*args, **kwargs)
        if time.monotonic() - self._pulse_at >= EVERY:
            self._pulse()
        return pause

    def close(self) -> None:
        """The orderly end."""
        super().close()
        try:
            heartbeat_end(Pulse.Part.BEAT, process_name())
        except DatabaseError as error:
            log.warning("beat cannot note that it ends: %s", error)

    def _pulse(self) -> None:
        try:
            heartbeat_record(Pulse.Part.BEAT, process_name())
            self._pulse_at = time.monotonic()
        except DatabaseError as error:
            log.warning("beat cannot note that it is alive: %s", error)

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
from apps.runs.processes.pulses import EVERY, process_name, pulse_end, pulse_note

log = logging.getLogger(__name__)


class Scheduler(DatabaseScheduler):  # type: ignore[misc] # it has no type information
    """Named in the command line of beat (`--scheduler apps.runs.processes.beat:Scheduler`)."""

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
            pulse_end(Pulse.Part.BEAT, process_name())
        except DatabaseError as error:
            log.warning("beat cannot note that it ends: %s", error)

    def _pulse(self) -> None:
        try:
            pulse_note(Pulse.Part.BEAT, process_name())
            self._pulse_at = time.monotonic()
        except DatabaseError as error:
            log.warning("beat cannot note that it is alive: %s", error)

"""Status of the processes that runs need: engines, workers, beat.

All times are the database's, as the clocks of the machines may differ.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.runs.models import Heartbeat

# A machine under full load may miss several heartbeats.
INTERVAL_SECONDS = 5.0
TIMEOUT_SECONDS = 30.0

REMEDY: dict[str, str | Promise] = {
    Heartbeat.Component.ENGINE: _(
        "No run starts, and no result of a running test is stored. Restart the worker: end and "
        "start bin/up, or run “docker compose up -d worker”. Its log is "
        "BENCHLAB_HOME/logs/worker.log."
    ),
    Heartbeat.Component.WORKER: _(
        "Imports are not read, and hints come late. Look whether Valkey answers and the worker "
        "runs; its log is BENCHLAB_HOME/logs/worker.log."
    ),
    Heartbeat.Component.BEAT: _(
        "No schedule launches anything. Start or restart beat: with bin/up end it and start it "
        "again, with Docker “docker compose up -d beat”; its log is BENCHLAB_HOME/logs/beat.log."
    ),
}


@dataclass(frozen=True)
class ComponentStatus:
    """The number of live processes of a component, and its last heartbeat."""

    component: str
    label: str
    alive: int
    last_seen_at: datetime | None
    processes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return self.alive > 0

    @property
    def state(self) -> str:
        """Return the state for `status_badge`."""
        return "ok" if self.ok else "not_running"

    @property
    def remedy(self) -> str:
        """Return what to do if no process is alive, else ""."""
        return "" if self.ok else str(REMEDY[self.component])


def process_name() -> str:
    """Return the host name and the process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


def engine_is_alive() -> Exists:
    """Return a condition for queries: an engine sent a heartbeat in the last 30 s."""
    alive = Heartbeat.objects.filter(
        component=Heartbeat.Component.ENGINE, last_seen_at__gt=Now() - _timeout()
    )
    return Exists(alive)


def component_status() -> list[ComponentStatus]:
    """Return the status of engine, worker and beat."""
    rows = Heartbeat.objects.annotate(age=Now() - F("last_seen_at")).order_by("-last_seen_at")
    result = list(rows)
    return [
        _status(component, [row for row in result if row.component == component])
        for component in Heartbeat.Component
    ]


def _status(component: Heartbeat.Component, rows: list[Heartbeat]) -> ComponentStatus:
    ages: dict[str, timedelta] = {row.process_name: row.age for row in rows}  # type: ignore[attr-defined] # annotated above
    alive = tuple(name for name, age in ages.items() if age < _timeout())
    last_seen_at = rows[0].last_seen_at if rows else None
    return ComponentStatus(component.value, str(component.label), len(alive), last_seen_at, alive)


def _timeout() -> timedelta:
    return timedelta(seconds=TIMEOUT_SECONDS)

"""Processes that a run needs, and whether they are alive: engines, workers, beat.

Every time here is the database's, so the machines' clocks need not agree.
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

from apps.runs.models import Pulse

# Seconds between two signs of one process, and after how long without one it counts as gone: a
# machine under full load may be late by several.
EVERY = 5.0
GONE_AFTER = 30.0

REMEDY: dict[str, str | Promise] = {
    Pulse.Part.ENGINE: _(
        "Runs stay queued and running tests are not collected. Start or restart the worker: with "
        "bin/up end it and start it again, with Docker “docker compose up -d worker”; its log "
        "(BENCHLAB_HOME/logs/worker.log) says why it ended."
    ),
    Pulse.Part.WORKER: _(
        "Imports are not read, and hints come late. Look whether Valkey answers and the worker "
        "runs; its log is BENCHLAB_HOME/logs/worker.log."
    ),
    Pulse.Part.BEAT: _(
        "No schedule launches anything. Start or restart beat: with bin/up end it and start it "
        "again, with Docker “docker compose up -d beat”; its log is BENCHLAB_HOME/logs/beat.log."
    ),
}


@dataclass(frozen=True)
class ComponentStatus:
    """One part of benchlab: how many of its processes are alive, when one was heard last, and what
    to do where none is.
    """

    part: str
    label: str
    alive: int
    heard: datetime | None
    processes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return self.alive > 0

    @property
    def state(self) -> str:
        """As the pages' badges name it."""
        return "ok" if self.ok else "silent"

    @property
    def todo(self) -> str:
        """The trouble without it and what to do; "" while it is alive."""
        return "" if self.ok else str(REMEDY[self.part])


def process_name() -> str:
    """This process among all that share the database."""
    return f"{socket.gethostname()}:{os.getpid()}"


def engine_is_alive() -> Exists:
    """Whether any engine has been heard of lately, as part of another query."""
    return Exists(Pulse.objects.filter(part=Pulse.Part.ENGINE, at__gt=Now() - _gone_after()))


def component_status() -> list[ComponentStatus]:
    """Engine, worker and beat, each with its processes. One query."""
    rows = list(Pulse.objects.annotate(silence=Now() - F("at")).order_by("-at"))
    return [_part(part, [row for row in rows if row.part == part]) for part in Pulse.Part]


def _part(part: Pulse.Part, rows: list[Pulse]) -> ComponentStatus:
    silences: dict[str, timedelta] = {row.process: row.silence for row in rows}  # type: ignore[attr-defined] # annotated above
    alive = tuple(name for name, silence in silences.items() if silence < _gone_after())
    heard = rows[0].at if rows else None
    return ComponentStatus(part.value, str(part.label), len(alive), heard, alive)


def _gone_after() -> timedelta:
    return timedelta(seconds=GONE_AFTER)

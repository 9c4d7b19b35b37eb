"""Start and stop the engine of a Celery worker process, and the worker's heartbeat."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from celery.signals import heartbeat_sent, worker_init, worker_shutting_down
from django.db import close_old_connections, connections

from apps.execution.engine.loop import Engine
from apps.execution.runtime.log_throttle import LogThrottle
from apps.runs.models import Heartbeat
from apps.runs.selectors.heartbeats import INTERVAL_SECONDS, process_name
from apps.runs.services.heartbeats import heartbeat_end, heartbeat_record
from apps.runs.services.stopping_rules import rules_load

log = logging.getLogger(__name__)

_engine: Engine | None = None


def engine() -> Engine:
    """Return this process's running engine."""
    global _engine  # one engine per process
    if _engine is None:
        _engine = Engine()
        _engine.start()
    return _engine


class WorkerHeartbeat:
    """Stores the worker's heartbeat while Celery's heartbeat shows contact with the broker.

    Runs in its own thread: a hanging database must block neither Celery nor the engine.
    """

    def __init__(self) -> None:
        self._contact_at = -2 * INTERVAL_SECONDS
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def contact(self) -> None:
        """Note a heartbeat of Celery."""
        self._contact_at = time.monotonic()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(INTERVAL_SECONDS)

    def _serve(self) -> None:
        log_throttle = LogThrottle(log)
        while not self._stopping.wait(INTERVAL_SECONDS):
            if time.monotonic() - self._contact_at < 2 * INTERVAL_SECONDS:
                _try(log_throttle, heartbeat_record)
        _try(log_throttle, heartbeat_end)
        connections.close_all()


def _try(log_throttle: LogThrottle, write: Callable[[Heartbeat.Component, str], None]) -> None:
    try:
        close_old_connections()
        write(Heartbeat.Component.WORKER, process_name())
    except Exception as error:
        log_throttle.log("the worker cannot note that it is alive", error)


_heartbeat = WorkerHeartbeat()


@worker_init.connect
def _start(**_: Any) -> None:
    rules_load()
    # Before the broker is contacted: without it the engine finds its work in PostgreSQL.
    engine()
    _heartbeat.start()


@heartbeat_sent.connect
def _on_contact(**_: Any) -> None:
    _heartbeat.contact()


@worker_shutting_down.connect
def _stop(**_: Any) -> None:
    if _engine is not None:
        _engine.stop()
    _heartbeat.stop()

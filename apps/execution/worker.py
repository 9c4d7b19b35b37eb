"""One engine in each Celery worker process, started and stopped with it."""

from __future__ import annotations

from typing import Any

from celery.signals import worker_init, worker_shutting_down

from apps.execution.engine import Engine

_engine: Engine | None = None


def engine() -> Engine:
    """This process's engine, running."""
    global _engine  # one engine a process is the whole point
    if _engine is None:
        _engine = Engine()
        _engine.start()
    return _engine


@worker_init.connect
def _start(**_: Any) -> None:
    # Before the broker is asked for: without it the engine still finds its work in PostgreSQL.
    engine()


@worker_shutting_down.connect
def _stop(**_: Any) -> None:
    if _engine is not None:
        _engine.stop()

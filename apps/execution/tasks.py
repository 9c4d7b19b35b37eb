"""Celery tasks: hints to the engine of this worker process. They carry an id, and losing one costs
one sweep.
"""

from __future__ import annotations

from celery import shared_task

from apps.execution.engine.worker import engine


@shared_task(name="execution.advance")
def advance(run_id: int) -> None:
    """Something about this run changed."""
    engine().wake(run_id)


@shared_task(name="execution.check_host")
def check_host(host_id: int) -> None:
    """Somebody wants a host checked; the engine finds which in the database."""
    engine().wake()

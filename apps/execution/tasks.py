"""Celery tasks: hints to the engine of this worker process; a lost one costs one sweep."""

from __future__ import annotations

from celery import shared_task

from apps.execution.engine.worker import engine


@shared_task(name="execution.reconcile_run")
def reconcile_run(run_id: int) -> None:
    """Reconcile a run that changed."""
    engine().wake(run_id)


@shared_task(name="execution.check_host")
def check_host(host_id: int) -> None:
    """Wake the engine, which reads the requested checks from the database."""
    engine().wake()

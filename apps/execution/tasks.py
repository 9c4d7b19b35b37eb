"""Celery tasks: hints to the engine of this worker process; a lost one costs one sweep."""

from __future__ import annotations

import logging

from celery import shared_task

from apps.common.logs import about
from apps.execution.engine.worker import engine

log = logging.getLogger(__name__)


@shared_task(name="execution.reconcile_run")
def reconcile_run(run_id: int) -> None:
    """Reconcile a run that changed."""
    with about(run=run_id):
        log.info("woken for a run that changed")  # ties the request's ID to the run
    engine().wake(run_id)


@shared_task(name="execution.check_host")
def check_host(host_id: int) -> None:
    """Wake the engine, which reads the requested checks from the database."""
    engine().wake()

"""Tasks that beat starts: PostgreSQL looks again at tables that grew."""

from __future__ import annotations

import logging

from celery import shared_task

from apps.common.database.planner import tables_analyze

log = logging.getLogger(__name__)


@shared_task(name="common.tables_analyze")
def analyze() -> None:
    """Cheap where nothing grew: one query of the catalogue."""
    if done := tables_analyze():
        log.info("looked again at tables that grew: %s", ", ".join(done))

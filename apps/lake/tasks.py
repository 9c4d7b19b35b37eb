"""Nightly export of the lake."""

from __future__ import annotations

import logging

from celery import shared_task
from django.conf import settings

from apps.common.errors import ServiceError
from apps.lake.services.export import lake_export

log = logging.getLogger(__name__)


@shared_task(name="lake.export")
def export() -> None:
    """Export to BENCHLAB_LAKE. Beat keeps the schedule after the setting is removed."""
    if not settings.LAKE:
        return
    try:
        lake_export(location=settings.LAKE, people=settings.LAKE_PEOPLE)
    except (ServiceError, OSError) as error:
        # The record of the export has it too, for the page System and the doctor.
        log.error("the lake was not written: %s", error)

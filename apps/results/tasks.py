"""Tasks that beat starts: once a day series that are old are thinned."""

from __future__ import annotations

import logging

from celery import shared_task

from apps.results.services.downsampling import series_thin

log = logging.getLogger(__name__)


@shared_task(name="results.thin_series")
def thin_series() -> None:
    """Thin the series that the rule says; nothing without a rule."""
    done = series_thin()
    if done.series:
        log.info("thinned %s series, %s bytes less", done.series, done.size)

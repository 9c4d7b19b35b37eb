"""Celery application.

Messages are hints that carry an id (docs/adr/0005-postgresql-holds-the-truth.md).
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings
from django.utils.log import configure_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")

app = Celery("benchlab")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _as_settings_say(**_: Any) -> None:
    """Configure logging; Celery would set the root logger to WARNING."""
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)

"""The Celery application. Messages are hints that carry an id; PostgreSQL holds the truth
(docs/design.md).
"""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")

app = Celery("benchlab")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["apps.inventory", "apps.runs", "apps.execution", "apps.imports"])

"""Records of exports, for the page *System*, /metrics and the doctor."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from apps.lake.models import LakeExport

LATE = timedelta(days=2)
"""Age of the newest export at which the nightly one has failed."""


def exports_succeeded() -> QuerySet[LakeExport]:
    """Return the exports that succeeded, the newest first."""
    return LakeExport.objects.filter(ended_at__isnull=False, error="").order_by("-pk")


def newest_scheduled() -> LakeExport | None:
    """Return the newest successful export of BENCHLAB_LAKE."""
    return exports_succeeded().filter(location=settings.LAKE).first()


def is_late(newest: LakeExport | None, now: datetime) -> bool:
    """Return True if BENCHLAB_LAKE is set and has no export of the last two days."""
    if not settings.LAKE:
        return False
    return newest is None or newest.ended_at is None or now - newest.ended_at > LATE

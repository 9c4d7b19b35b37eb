"""Reads about alerts."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.alerts.models import Alert


def alerts_visible() -> QuerySet[Alert]:
    """Every alert with its owner; everybody may see all but their secrets."""
    return Alert.objects.select_related("owner", "team").order_by("-pk")

"""Queries of alerts."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import QueryDict

from apps.alerts.models import Alert
from apps.analysis.registry import VIEWS
from apps.common.errors import ServiceError


def alerts_visible() -> QuerySet[Alert]:
    """Return every alert with its owner; any user may see all but their secrets."""
    return Alert.objects.select_related("owner", "team").order_by("-pk")


def query_error(alert: Alert) -> str:
    """Return which filters of the stored query are invalid; empty for a valid one."""
    if not alert.view:
        return ""
    try:
        VIEWS[alert.view].parse(QueryDict(alert.query))
    except ServiceError as error:
        return error.message
    return ""

"""Retention of recorded durations."""

from __future__ import annotations

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from apps.common.services import due_rows
from apps.plans.models import CaseTime
from apps.plans.services.durations import MAX_ROWS


def durations_due() -> QuerySet[CaseTime]:
    """Return all but the newest rows of each host and tool."""
    rank = Window(RowNumber(), partition_by=[F("host"), F("tool")], order_by="-id")
    return CaseTime.objects.annotate(rank=rank).filter(rank__gt=MAX_ROWS)


RETENTION = [
    due_rows(
        CaseTime,
        f"the newest {MAX_ROWS} of each host and tool",
        durations_due,
        task="each new row",
    )
]

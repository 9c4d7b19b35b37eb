"""Limits of the cases that stopping rules add."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Max, Min

from apps.plans.domain.expand import MAX_CASES
from apps.runs.models import Attempt, Case, Run
from apps.tools.messages import TranslatableMessage, message


def limit_passed(
    run: Run, cases: Sequence[Case], hours: float | None, *, first_block: int = 0
) -> TranslatableMessage | None:
    """Return the limit of cases or hours that adding these cases would exceed, else None.

    Hours count from the first start in `first_block` or later to the expected end.
    """
    if run.case_count + len(cases) > MAX_CASES:
        return message("stopped at the limit of %(cases)d cases", cases=MAX_CASES)
    if hours is None:
        return None
    taken = Attempt.objects.filter(
        case__run=run, case__block__gte=first_block, started_at__isnull=False
    ).aggregate(first=Min("started_at"), last=Max("ended_at"))
    if taken["first"] is None or taken["last"] is None:
        return None
    more = timedelta(seconds=sum(case.expected_seconds for case in cases))
    if taken["last"] - taken["first"] + more <= timedelta(hours=hours):
        return None
    return message("stopped at the limit of %(hours)s h", hours=f"{hours:g}")

"""Order of the queue: priority, one more for each day of waiting, then the older run.

If fair share is on, the team with fewer recent host-hours comes first within a level.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import (
    Case,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Extract, Floor, Greatest

from apps.runs.models import Run, RunApproval, RunState
from apps.runs.selectors.fair_share import is_on, share_expression
from apps.runs.selectors.host_holds import waits_for_held_host
from apps.runs.selectors.runs import runs_listed


def queue_level(now: datetime) -> Cast:
    """Return the expression of a run's level: its priority and what waiting added to it.

    A run that waits for an approval does not wait for a host, so it gains nothing meanwhile.
    """
    requests = RunApproval.objects.filter(run=OuterRef("pk"), state=RunApproval.State.WAITING)
    requested = Subquery(requests.values("created_at")[:1])
    until = Greatest(Coalesce(requested, Value(now, DateTimeField())), F("waiting_since"))
    waited = ExpressionWrapper(until - F("waiting_since"), output_field=DurationField())
    steps = Floor(Extract(waited, "epoch") / Value(settings.BENCHLAB_QUEUE_AGING_HOURS * 3600.0))
    return Cast(F("priority") + steps, IntegerField())


def runs_queued(now: datetime) -> QuerySet[Run]:
    """Return queued runs, the next one first, with their `level` and `share`."""
    rows = Run.objects.filter(state=RunState.QUEUED)
    rows = rows.annotate(level=queue_level(now), share=share_expression(now))
    return rows.order_by(*_order())


def _order() -> tuple[str, ...]:
    return ("-level", "share", "pk") if is_on() else ("-level", "pk")


def runs_open(now: datetime) -> QuerySet[Run]:
    """Return running runs, then queued ones in the order of the queue, without long columns."""
    rows = runs_listed().filter(state__in=[RunState.QUEUED, RunState.RUNNING])
    order = When(state=RunState.RUNNING, then=Value(0))
    rows = rows.annotate(
        level=queue_level(now),
        share=share_expression(now),
        is_waiting=Case(order, default=Value(1)),
    )
    return rows.order_by("is_waiting", *_order())


def runs_ahead(run: Run, now: datetime) -> QuerySet[Run]:
    """Return the queued runs before this one in the queue, the first one first."""
    level, share = place_of(run, now)
    same = Q(level=level, share=share, pk__lt=run.pk)
    return giving_way_left_out(_before(now, level, share, same)).exclude(pk=run.pk)


def place_of(run: Run, now: datetime) -> tuple[int, float]:
    """Return the level of a run, and the recent host-hours of its team."""
    rows = Run.objects.filter(pk=run.pk)
    level, share = rows.values_list(queue_level(now), share_expression(now)).get()
    return level, share


def runs_before(level: int, share: float, since: datetime, now: datetime) -> QuerySet[Run]:
    """Return the queued runs before a place in the queue, the first one first."""
    same = Q(level=level, share=share, queued_at__lt=since)
    return giving_way_left_out(_before(now, level, share, same))


def _before(now: datetime, level: int, share: float, same: Q) -> QuerySet[Run]:
    higher = Q(level__gt=level) | Q(level=level, share__lt=share)
    return runs_queued(now).filter(higher | same)


def giving_way_left_out(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Leave out runs that wait for an approval or a host on hold: they may wait for long."""
    free = runs.exclude(approvals__state=RunApproval.State.WAITING)
    return free.exclude(waits_for_held_host())


def is_key_used(key: str) -> bool:
    """Return True if any user's run has the idempotency key."""
    return Run.objects.filter(idempotency_key=key).exists()


def waits_for_first_start(key: str) -> bool:
    """Return True if a run whose idempotency key begins so waits for its first start."""
    rows = Run.objects.filter(state=RunState.QUEUED, started_at__isnull=True)
    return rows.filter(idempotency_key__startswith=key).exists()

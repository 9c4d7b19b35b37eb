"""Order of the queue: priority, one more for each day of waiting, then the older run."""

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
    """Return queued runs, the next one first, with their `level`."""
    rows = Run.objects.filter(state=RunState.QUEUED).annotate(level=queue_level(now))
    return rows.order_by("-level", "pk")


def runs_open(now: datetime) -> QuerySet[Run]:
    """Return running runs, then queued ones in the order of the queue, without long columns."""
    rows = runs_listed().filter(state__in=[RunState.QUEUED, RunState.RUNNING])
    order = When(state=RunState.RUNNING, then=Value(0))
    rows = rows.annotate(level=queue_level(now), is_waiting=Case(order, default=Value(1)))
    return rows.order_by("is_waiting", "-level", "pk")


def runs_ahead(run: Run, now: datetime) -> QuerySet[Run]:
    """Return the queued runs before this one in the queue, the first one first.

    A run that waits for an approval or a host on hold gives way: it may wait for long.
    """
    levels = Run.objects.filter(pk=run.pk).values_list(queue_level(now), flat=True)
    level = levels.get()
    earlier = Q(level__gt=level) | Q(level=level, pk__lt=run.pk)
    ahead = runs_queued(now).filter(earlier).exclude(pk=run.pk)
    return ahead.exclude(approvals__state=RunApproval.State.WAITING).exclude(waits_for_held_host())

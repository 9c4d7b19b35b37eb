"""Host-hours that teams used lately: the tie-break of the queue, if it is switched on.

An hour counts half after seven days. A run without a team counts for its owner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import (
    Case,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    FloatField,
    Q,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Exp, Extract, Least

from apps.common.cache import cached_for
from apps.runs.models import Claim

HALF_LIFE = timedelta(days=7)
# After so many half-lives 0.4 % of an hour is left.
OLDEST = 8 * HALF_LIFE
REUSE_SECONDS = 60
HOUR = 3600.0
DECAY = math.log(2) / HALF_LIFE.total_seconds()


def is_on() -> bool:
    """Return True if the order of equal levels depends on recent use."""
    return bool(settings.BENCHLAB_QUEUE_FAIR_SHARE)


def recent_hours(now: datetime) -> dict[str, float]:
    """Return the decayed host-hours of each team and each owner without one, by `share_key`."""
    if not is_on():
        return {}
    return cached_for("fair-share", REUSE_SECONDS, dict[str, float], lambda: _hours(now))


def share_key(team_id: int | None, owner_id: int) -> str:
    """Return whom the hours of a run are counted for."""
    return f"team:{team_id}" if team_id else f"user:{owner_id}"


def share_expression(now: datetime) -> Case:
    """Return the expression of a run's recent host-hours."""
    return Case(*_whens(recent_hours(now)), default=Value(0.0), output_field=FloatField())


def _whens(hours: dict[str, float]) -> Iterator[When]:
    for key, value in hours.items():
        kind, _, pk = key.partition(":")
        who = Q(team=int(pk)) if kind == "team" else Q(team__isnull=True, owner=int(pk))
        yield When(who, then=Value(value))


def _hours(now: datetime) -> dict[str, float]:
    rows = Claim.objects.filter(resource__startswith="host:").filter(
        Q(released_at__isnull=True) | Q(released_at__gt=now - OLDEST)
    )
    at = Value(now, DateTimeField())
    until = Least(Coalesce(F("released_at"), at), at)
    seconds = Exp(_age(at, until) * Value(-DECAY)) - Exp(_age(at, F("taken_at")) * Value(-DECAY))
    hours = ExpressionWrapper(seconds / Value(DECAY * HOUR), output_field=FloatField())
    result: dict[str, float] = {}
    owned = rows.filter(taken_at__lt=now).order_by().values_list("run__team", "run__owner")
    for team, owner, value in owned.annotate(hours=Sum(hours)):
        key = share_key(team, owner)
        result[key] = result.get(key, 0.0) + value
    return result


def _age(at: Combinable, timestamp: Combinable) -> Extract:
    return Extract(ExpressionWrapper(at - timestamp, output_field=DurationField()), "epoch")

"""Acceptances of drives that ended as causes of notifications: one message for the whole lot."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.acceptance.models import Acceptance
from apps.acceptance.presenters import summary_text
from apps.acceptance.selectors.acceptances import accepted_disks
from apps.alerts.models import Alert
from apps.alerts.selectors.causes import Cause, Detection

ACCEPTANCE = "acceptance:"
"""Prefix of the keys of incidents."""
LOOKBACK = timedelta(days=2)
"""So long after its end an acceptance is reported, if nothing evaluated alerts before."""


def acceptances_ended(now: datetime) -> QuerySet[Acceptance]:
    """Return the acceptances that ended with verdicts a short time ago."""
    rows = Acceptance.objects.filter(state=Acceptance.State.ENDED, ended_at__gte=now - LOOKBACK)
    return rows.select_related("owner").order_by("pk")


def acceptance_key(row: Acceptance) -> str:
    return f"{ACCEPTANCE}{row.pk}"


def acceptance_text(row: Acceptance) -> str:
    values = {"name": row.name, "summary": summary_text(accepted_disks(row))}
    return _("%(name)s: %(summary)s") % values


def acceptance_path(row: Acceptance) -> str:
    return reverse("acceptance_detail", args=[row.pk])


def detect_acceptances(alert: Alert, now: datetime) -> Detection:
    """Return the acceptances of the alert's owner and team that ended since it was created."""
    own = Q(owner=alert.owner_id)
    if alert.team_id:
        own |= Q(team=alert.team_id)
    rows = acceptances_ended(now).filter(own, ended_at__gte=alert.created_at)
    return Detection([Cause(acceptance_key(row), acceptance_text(row)) for row in rows])

"""Requests for approvals as causes of notifications."""

from __future__ import annotations

from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext as _

from apps.alerts.models import Alert, AlertIncident
from apps.alerts.selectors.causes import Cause, Detection
from apps.alerts.selectors.detection import runs_in_scope
from apps.runs.models import Run, RunApproval
from apps.runs.selectors.approvals import approvals_waiting

APPROVAL = "approval:"
"""Prefix of the keys of incidents; the request follows."""


def requests_unreported(alert: Alert) -> QuerySet[RunApproval]:
    """Return the requests in the alert's scope that it has not reported, oldest first."""
    key = Concat(Value(APPROVAL), Cast(OuterRef("pk"), CharField()), output_field=CharField())
    reported = AlertIncident.objects.filter(alert=alert, key=key)
    rows = approvals_waiting().filter(created_at__gte=alert.created_at)
    return rows.filter(run__in=runs_in_scope(alert, Run.objects.all())).exclude(Exists(reported))


def detect_approval(request: RunApproval) -> Detection:
    """Return a request for an approval as a cause; each request is a new one."""
    template = _("{run} of {user} waits for an approval: {policies}")
    text = template.format(
        run=request.run, user=request.run.owner.username, policies=", ".join(request.policies)
    )
    return Detection([Cause(f"{APPROVAL}{request.pk}", text)])

"""Permission check of the report pages."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from apps.accounts.permissions import require_editable, user_of
from apps.reports.models import SavedReport


def editable_report(request: HttpRequest, pk: int) -> SavedReport:
    """Return the report if the request's user may edit it. Raises: Http404, PermissionDenied."""
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, user_of(request))
    return report

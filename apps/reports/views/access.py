"""The reader of a page, and the report that they may change."""

from __future__ import annotations

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from apps.accounts.permissions import require_editable, user_of
from apps.reports.models import SavedReport


def editable_report(request: HttpRequest, pk: int) -> SavedReport:
    """The report that this request may change. Raises Http404, PermissionDenied."""
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, user_of(request))
    return report

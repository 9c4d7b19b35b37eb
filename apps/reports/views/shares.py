"""Links to reports: making and ending them, and the page that somebody without a login reads."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_editable, role_required
from apps.analysis.report.document import html
from apps.common.errors import ServiceError
from apps.common.web.request import own_address
from apps.reports.forms import ShareForm
from apps.reports.models import ReportShare, SavedReport
from apps.reports.selectors.reports import rendered, share_of
from apps.reports.services import share_create, share_opened, share_revoke

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
    "sandbox allow-scripts"
)
"""A page of its own origin: whatever ran in it, it could neither read cookies nor ask anything."""


@require_safe
@login_not_required
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The report behind a link, for everybody who has it."""
    share = share_of(token)
    if share is None:
        raise Http404
    if not share.is_open:
        return _locked_down(render(request, "reports/share_over.html", status=410))
    if request.method == "GET":
        share_opened(share)
    return _locked_down(HttpResponse(html(rendered(share.report))))


def _locked_down(response: HttpResponse) -> HttpResponse:
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow"
    if response.status_code == 200:
        response["Content-Security-Policy"] = POLICY
    return response


@require_POST
@role_required(Role.OPERATOR)
def share_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a link. It is on the page that answers, and nowhere afterwards."""
    user = request.user
    assert isinstance(user, User)  # role_required let nobody else in
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, user)
    form = ShareForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for text in form.errors["days"]))
        return redirect("report_detail", report.pk)
    try:
        share, token = share_create(report=report, user=user, days=form.cleaned_data["days"])
    except ServiceError as refused:
        messages.error(request, refused.message)
        return redirect("report_detail", report.pk)
    address = own_address(request, request.build_absolute_uri(reverse("shared", args=[token])))
    context = {"report": report, "share": share, "address": address}
    return render(request, "reports/share_made.html", context)


@require_POST
@role_required(Role.OPERATOR)
def share_end(request: HttpRequest, pk: int) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # as above
    share = get_object_or_404(ReportShare.objects.select_related("report"), pk=pk)
    require_editable(share, user)
    share_revoke(share=share, user=user)
    messages.success(request, _("The link is revoked."))
    return redirect("report_detail", share.report_id)

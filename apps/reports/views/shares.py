"""Share links: create, revoke, and the page that they show without a login."""

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
from apps.reports.forms import ShareLinkForm
from apps.reports.models import SavedReport, ShareLink
from apps.reports.selectors.reports import rendered, share_link_by_token
from apps.reports.services import share_link_count_view, share_link_create, share_link_revoke

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
    "sandbox allow-scripts"
)
"""Content-Security-Policy of the shared page.

`sandbox` gives it an opaque origin, so scripts in it cannot read cookies or send requests.
"""


@require_safe
@login_not_required
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Render the report of a share link. No login required."""
    share = share_link_by_token(token)
    if share is None:
        raise Http404
    if not share.is_open:
        return _add_security_headers(render(request, "reports/share_expired.html", status=410))
    if request.method == "GET":
        share_link_count_view(share)
    return _add_security_headers(HttpResponse(html(rendered(share.report))))


def _add_security_headers(response: HttpResponse) -> HttpResponse:
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow"
    if response.status_code == 200:
        response["Content-Security-Policy"] = POLICY
    return response


@require_POST
@role_required(Role.OPERATOR)
def share_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a share link. Only this response contains its address."""
    user = request.user
    assert isinstance(user, User)  # role_required rejects anonymous users
    report = get_object_or_404(SavedReport, pk=pk)
    require_editable(report, user)
    form = ShareLinkForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for text in form.errors["days"]))
        return redirect("report_detail", report.pk)
    try:
        share, token = share_link_create(report=report, user=user, **form.cleaned_data)
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("report_detail", report.pk)
    address = own_address(request, request.build_absolute_uri(reverse("shared", args=[token])))
    context = {"report": report, "share": share, "address": address}
    return render(request, "reports/share_created.html", context)


@require_POST
@role_required(Role.OPERATOR)
def share_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)  # as above
    share = get_object_or_404(ShareLink.objects.select_related("report"), pk=pk)
    share_link_revoke(share=share, user=user)
    messages.success(request, _("The link is revoked."))
    return redirect("report_detail", share.report_id)

"""Pages to abandon attempts on unresponsive hosts, and to release their resources."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError
from apps.runs.forms import ReasonForm
from apps.runs.models import Run
from apps.runs.selectors.unresponsive_hosts import (
    abandoned_open,
    parsing_attempts,
    unresponsive_attempts,
    unresponsive_names,
)
from apps.runs.services import abandonment


@role_required(Role.ADMIN)
@fresh_login_required()
def run_abandon(request: HttpRequest, pk: int) -> HttpResponse:
    """Abandon the attempts of a run on unresponsive hosts, and those that are parsed too long."""
    run = get_object_or_404(Run, pk=pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            abandonment.run_abandon(run=run, user=user_of(request), **form.cleaned_data)
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("Abandoned: these attempts count as ended (unconfirmed)."))
        return redirect("run_detail", pk)
    attempts = unresponsive_attempts(run)
    context = {
        "run": run,
        "form": form,
        "attempts": attempts,
        "hosts": unresponsive_names(attempts),
        "parsing": parsing_attempts(run),
    }
    return render(request, "runs/run_abandon.html", context)


@role_required(Role.ADMIN)
@fresh_login_required()
def run_release(request: HttpRequest, pk: int) -> HttpResponse:
    """Release the resources of abandoned attempts."""
    run = get_object_or_404(Run, pk=pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            abandonment.abandoned_release(run=run, user=user_of(request), **form.cleaned_data)
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("The resources of the abandoned attempts are released."))
        return redirect("run_detail", pk)
    context = {"run": run, "form": form, "rows": list(abandoned_open(run))}
    return render(request, "runs/run_release.html", context)

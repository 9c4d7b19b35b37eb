"""The two pages on which an admin gives up on hosts that do not answer, and frees what such tests
used.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.common.errors import ServiceError
from apps.runs.forms import GivingUpForm
from apps.runs.models import Run
from apps.runs.services.abandonment import (
    abandoned_release,
    given_up_open,
    run_abandon,
    silent_attempts,
    silent_names,
    unread_attempts,
)


@role_required(Role.ADMIN)
def run_give_up(request: HttpRequest, pk: int) -> HttpResponse:
    """End the tests of a run whose hosts do not answer, or whose output is read for too long."""
    run = get_object_or_404(Run, pk=pk)
    form = GivingUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            run_abandon(run=run, user=user_of(request), **form.cleaned_data)
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("Abandoned: these attempts count as ended (unconfirmed)."))
        return redirect("run_detail", pk)
    attempts = silent_attempts(run)
    context = {
        "run": run,
        "form": form,
        "attempts": attempts,
        "hosts": silent_names(attempts),
        "unread": unread_attempts(run),
    }
    return render(request, "runs/run_give_up.html", context)


@role_required(Role.ADMIN)
def run_free(request: HttpRequest, pk: int) -> HttpResponse:
    """Vouch that given-up tests have ended, so that what they used is free."""
    run = get_object_or_404(Run, pk=pk)
    form = GivingUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            abandoned_release(run=run, user=user_of(request), **form.cleaned_data)
        except ServiceError as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("The resources of the abandoned attempts are released."))
        return redirect("run_detail", pk)
    context = {"run": run, "form": form, "rows": given_up_open(run)}
    return render(request, "runs/run_free.html", context)

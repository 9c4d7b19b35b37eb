"""Pages of the queue and the calendar, and the priority of a run."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import role_required, user_of
from apps.bookings.presenters import queue_tabs, request_rows
from apps.bookings.selectors.feed import feed_token
from apps.common.errors import ServiceError
from apps.inventory.selectors.inventory import hosts_held
from apps.runs.forms import PriorityForm
from apps.runs.models import Run
from apps.runs.presenters.calendar import calendar_page, first_day
from apps.runs.presenters.queue import queue_rows, request_lines
from apps.runs.selectors.fair_share import is_on
from apps.runs.selectors.forecasts import queue_forecast
from apps.runs.selectors.queue import runs_open
from apps.runs.services.priorities import run_prioritise

MAX_ROWS = 200
LONGEST = 64
UNKNOWN = -1


@require_safe
@login_required
def queue(request: HttpRequest) -> HttpResponse:
    """Show running and queued runs with their forecasts; htmx polls the rows."""
    runs = list(runs_open(timezone.now())[: MAX_ROWS + 1])
    forecasts = queue_forecast()
    context = {
        "rows": queue_rows(runs[:MAX_ROWS], forecasts),
        "requests": request_rows(user_of(request), request_lines(forecasts)),
        "shares_shown": is_on(),
        "is_cut": len(runs) > MAX_ROWS,
        "held_hosts": list(hosts_held()[:MAX_ROWS]),
        "tabs": queue_tabs(),
    }
    is_part = request.GET.get("part") == "rows"
    template = "runs/partials/queue_table.html" if is_part else "runs/queue.html"
    return render(request, template, context)


@require_safe
@login_required
def calendar(request: HttpRequest) -> HttpResponse:
    """Show bookings and forecasts of hosts in a week from `?day=` on, without it from today."""
    first = first_day(request.GET.get("day", ""))
    if first is None:
        raise BadRequest(_("Enter a day as 2026-01-31."))
    name = request.GET.get("host", "").replace("\0", "").strip()[:LONGEST]
    context = {
        "calendar": calendar_page(first, name),
        "host": name,
        "tabs": queue_tabs(),
        "feed_token": feed_token(user_of(request)),
    }
    return render(request, "runs/calendar.html", context)


@require_POST
@role_required(Role.OPERATOR)
def run_prioritise_page(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(Run, pk=pk)
    form = PriorityForm(request.POST)
    # The service refuses an unknown priority, after it has checked the rights.
    priority = form.cleaned_data["priority"] if form.is_valid() else UNKNOWN
    try:
        run_prioritise(run=run, user=user_of(request), priority=priority)
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("The priority is saved."))
    return redirect("run_detail", pk)

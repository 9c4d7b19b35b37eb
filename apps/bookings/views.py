"""The list of bookings, and their form."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.bookings.filters import BOOKING_COLUMNS, BookingFilter
from apps.bookings.forms import BookingForm, RequestForm
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.presenters import booking_rows, queue_tabs, request_rows
from apps.bookings.selectors.bookings import bookings_visible
from apps.bookings.selectors.feed import feed_document, user_of_token
from apps.bookings.services.bookings import booking_end, booking_save
from apps.bookings.services.requests import request_cancel, request_create
from apps.common.domain.keys import parse_key
from apps.common.errors import ServiceError
from apps.common.forms import made
from apps.common.web.lists import list_page


@require_safe
@login_required
def booking_list(request: HttpRequest) -> HttpResponse:
    result = BookingFilter(request.GET, queryset=bookings_visible())
    page = list_page(result.qs, request, BOOKING_COLUMNS, default="from")
    context = {
        "filter": result,
        "page": page,
        "rows": booking_rows(page.rows, user_of(request)),
        "requests": request_rows(user_of(request)),
        "tabs": queue_tabs(),
    }
    return render(request, "bookings/booking_list.html", context)


@require_safe
@login_not_required
def booking_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the bookings for a calendar program, whose address contains a user's token."""
    if user_of_token(token) is None:
        raise Http404
    response = HttpResponse(feed_document(), content_type="text/calendar; charset=utf-8")
    response["Cache-Control"] = "private, max-age=300"
    return response


@role_required(Role.OPERATOR)
def booking_edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Change a booking; without `pk` create one. `?host=` and `?pool=` choose what is booked."""
    user = user_of(request)
    booking = get_object_or_404(bookings_visible(), pk=pk) if pk else None
    if booking is not None:
        require_editable(booking, user)
    form = BookingForm(request.POST or None, user=user, booking=booking, initial=_chosen(request))
    saved = made(form, lambda: booking_save(user=user, draft=form.draft(), booking=booking))
    if saved:
        text = (
            _("Saved. No run starts a case in this time.")
            if saved.is_maintenance
            else _("Saved. Runs of others start no case in this time.")
        )
        messages.success(request, text)
        return redirect("booking_list")
    status = 400 if form.errors else 200
    context = {"form": form, "booking": booking}
    return render(request, "bookings/booking_form.html", context, status=status)


@require_POST
@role_required(Role.OPERATOR)
def booking_end_page(request: HttpRequest, pk: int) -> HttpResponse:
    booking = get_object_or_404(Booking, pk=pk)
    try:
        booking_end(booking=booking, user=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("Ended. Waiting runs may start."))
    return redirect("booking_list")


@role_required(Role.OPERATOR)
def request_add(request: HttpRequest) -> HttpResponse:
    """Request a booking that begins as soon as everything is free; `?host=` as `booking_edit`."""
    user = user_of(request)
    form = RequestForm(request.POST or None, user=user, initial=_chosen(request))
    if made(form, lambda: request_create(user=user, draft=form.draft())):
        messages.success(request, _("Requested. It waits in the queue, and begins by itself."))
        return redirect("queue")
    status = 400 if form.errors else 200
    return render(request, "bookings/request_form.html", {"form": form}, status=status)


@require_POST
@role_required(Role.OPERATOR)
def request_cancel_page(request: HttpRequest, pk: int) -> HttpResponse:
    row = BookingRequest.objects.filter(pk=pk).first()
    if row is None:
        messages.error(request, _("This request has begun or was cancelled."))
    else:
        request_cancel(request=row, user=user_of(request))
        messages.success(request, _("The request is cancelled."))
    return redirect("booking_list")


def _chosen(request: HttpRequest) -> dict[str, object]:
    """Return the host and the pool that the address names, as values of the form."""
    return {
        f"{name}s": [key]
        for name in ("host", "pool")
        if (key := parse_key(request.GET.get(name, "")))
    }

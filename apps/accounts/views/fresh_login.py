"""Pages that require a fresh login: a form first asks who the person is.

The browser keeps the form, as hidden fields of the page that asks. The server stores nothing of
it, because it may hold secrets (allauth's `suspend_request` stores the whole POST).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.forms import ConfirmForm
from apps.accounts.fresh_login import login_is_fresh
from apps.accounts.passkeys import assertion_options
from apps.accounts.permissions import P, Page, user_of
from apps.accounts.selectors import has_passkey, is_confirmed_by_provider
from apps.accounts.services import audit_record, session_confirm

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PREFIX = "confirm-login-"
BACK = f"{PREFIX}back"
FIELDS_NOT_PASSED_ON = ("csrfmiddlewaretoken", "one_time_password")
Condition = Callable[[HttpRequest], bool]


def fresh_login_required(when: Condition | None = None) -> Callable[[Page[P]], Page[P]]:
    """Require a fresh login for a page's POST; with `when` only for requests it selects.

    Place it below `role_required`, so that others get the 403 page.
    """

    def decorate(page: Page[P]) -> Page[P]:
        @wraps(page)
        def checked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            is_open = request.method in SAFE or (when is not None and not when(request))
            if is_open or login_is_fresh(request) or _proves_identity(request):
                return page(request, *args, **kwargs)
            return confirm_page(request)

        return cast("Page[P]", checked)

    return decorate


def confirm_page(request: HttpRequest) -> HttpResponseBase:
    """Ask for a proof of identity; the response holds the fields of the form."""
    user = user_of(request)
    form = getattr(request, "confirm_form", None) or ConfirmForm(user=user)
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in FIELDS_NOT_PASSED_ON and not name.startswith(PREFIX)
        for value in values
    ]
    context = {
        "form": form,
        "fields": fields,
        "sign_on": settings.OIDC if is_confirmed_by_provider(user) else None,
        "options": assertion_options(user) if form.has_code and has_passkey(user) else None,
        "action": request.get_full_path(),
        "back": _page_before(request),
    }
    request.asks_identity = True  # type: ignore[attr-defined] # no refusal, see the middleware
    return render(request, "accounts/confirm_login.html", context, status=403)


def _page_before(request: HttpRequest) -> str:
    """Return the address of the page that sent the form; the home page if it is not known."""
    address = request.POST.get(BACK) or request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}):
        return address
    return reverse("home")


def _proves_identity(request: HttpRequest) -> bool:
    """Return True if the request holds a valid password or code; mark the login as fresh."""
    if not any(name.startswith(PREFIX) for name in request.POST):
        return False
    user = user_of(request)
    form = ConfirmForm(request.POST, user=user)
    request.confirm_form = form  # type: ignore[attr-defined] # shown with its errors
    if not form.is_valid():
        return False
    session_confirm(request=request)
    audit_record(user=user, action="confirm login", subject=user, by=form.method)
    return True

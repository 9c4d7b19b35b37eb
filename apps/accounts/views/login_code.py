"""Second step of a login: a code or a passkey, after the password."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from apps.accounts.forms import SecondStepForm
from apps.accounts.models import User
from apps.accounts.passkeys import assertion_options
from apps.accounts.selectors import has_passkey
from apps.accounts.services import session_open
from apps.accounts.trusted_browsers import browser_id, trust_browser

PENDING = "pending_login"
"""Session key: user and password hash of a login that waits for its second step."""
PENDING_SECONDS = 300


def login_wait(request: HttpRequest, user: User, next_url: str) -> HttpResponse:
    """Remember the first step and ask for the second."""
    request.session[PENDING] = {
        "user": user.pk,
        "hash": user.get_session_auth_hash(),
        "at": time.time(),
        "next": next_url,
    }
    return redirect("login_code")


@never_cache
@login_not_required
def login_code(request: HttpRequest) -> HttpResponse:
    pending: dict[str, Any] = request.session.get(PENDING) or {}
    user = _user_of(pending)
    if user is None:
        request.session.pop(PENDING, None)
        return redirect("login")
    device = browser_id(request, user.username)
    form = SecondStepForm(request.POST or None, user=user, device=device)
    if request.method == "POST" and form.is_valid():
        del request.session[PENDING]
        session_open(request=request, user=user, fresh_at=time.time(), by=form.method)
        response = redirect(_own(request, str(pending["next"])))
        trust_browser(request, response, user.username)
        return response
    context = {
        "form": form,
        "options": assertion_options(user) if has_passkey(user) else None,
    }
    return render(request, "registration/login_code.html", context)


def _user_of(pending: dict[str, Any]) -> User | None:
    """Return the user of the first step; None if it is old, or access ended meanwhile."""
    if not pending or not 0 <= time.time() - pending["at"] <= PENDING_SECONDS:
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True).first()
    is_same = user and constant_time_compare(pending["hash"], user.get_session_auth_hash())
    return user if is_same else None


def _own(request: HttpRequest, address: str) -> str:
    is_own = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_own else settings.LOGIN_REDIRECT_URL

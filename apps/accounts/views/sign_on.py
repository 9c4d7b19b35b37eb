"""Sign-on through the OpenID Connect provider."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.domain.sign_on import (
    Claims,
    SignOnRefused,
    authenticated_at,
    has_wanted_acr,
)
from apps.accounts.fresh_login import FRESH_SECONDS
from apps.accounts.models import User
from apps.accounts.oidc.provider import (
    away_since,
    redirect_to_provider,
    sign_on_settings,
    take_state,
    tokens_for_code,
)
from apps.accounts.oidc.refusals import MESSAGES
from apps.accounts.oidc.tokens import verified_claims, verified_logout
from apps.accounts.permissions import user_of
from apps.accounts.services import (
    audit_record,
    browser_preferences_save,
    is_same_person,
    provider_logout,
    session_confirm,
    session_open,
    sign_on_join,
    sign_on_leave,
    sign_on_refused,
    signed_on,
)
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.errors import ServiceError

LOGIN, CONFIRM, JOIN = "login", "confirm", "join"
"""Purposes of a sign-on, part of its state."""


@never_cache
@login_not_required
@require_safe
def sign_on(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the provider for a login."""
    if request.user.is_authenticated:
        return redirect(_next_of(request, request.GET.get("next", "")))
    return _to_provider(request, next_url=request.GET.get("next", ""), data={"for": LOGIN})


@never_cache
@require_safe
def sign_on_confirm(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the provider, where the person authenticates again."""
    return _to_provider(request, data=_new_state(user_of(request), CONFIRM), is_fresh=True)


@never_cache
@login_not_required
@require_safe
def sign_on_callback(request: HttpRequest) -> HttpResponseBase:
    """Handle the provider's answer. Each state is used once, by the browser that began."""
    try:
        state = take_state(request)
        data: Mapping[str, Any] = state.get("data") or {}
        claims = _claims(request, state)
        if data.get("for") == CONFIRM:
            return _confirmed(request, claims, data)
        if data.get("for") == JOIN:
            return _joined(request, claims, data)
        return _logged_in(request, claims, str(state.get("next") or ""))
    except SignOnRefused as refusal:
        return refused_page(request, refusal)


@csrf_exempt
@login_not_required
@require_POST
def provider_logout_endpoint(request: HttpRequest) -> HttpResponse:
    """Back-channel logout: the provider's server posts a signed token (no cookie, no CSRF).

    A valid token counts however many bad ones came from its address.
    """
    try:
        claims = verified_logout(request.POST.get("logout_token", ""))
        provider_logout(claims=claims, sign_on=sign_on_settings())
    except SignOnRefused as refusal:
        recorded = sign_on_refused(user=None, refusal=SignOnRefused("logout", refusal.detail))
        text = str(MESSAGES["logout"])
        body = {"error": "invalid_request", "error_description": text}
        return JsonResponse(body, status=400 if recorded else 429)
    return HttpResponse(status=200)


@never_cache
@require_POST
@fresh_login_required()
def sign_on_join_page(request: HttpRequest) -> HttpResponseBase:
    """Lead to the provider to join the own account.

    A link instead of a redirect: the content security policy forbids forms to leave benchlab. A
    POST, so that no other site joins the account with an attacker's login at the provider.
    """
    user = user_of(request)
    if user.is_external:
        return redirect("login_list")
    response = _to_provider(request, data=_new_state(user, JOIN), is_fresh=True)
    if not isinstance(response, HttpResponseRedirect):
        return response
    context = {"address": response.url, "sign_on": settings.OIDC}
    return render(request, "accounts/sign_on_join.html", context)


@require_POST
@fresh_login_required()
def sign_on_leave_page(request: HttpRequest) -> HttpResponseBase:
    """Separate the own account from the provider."""
    try:
        sign_on_leave(user=user_of(request))
    except ServiceError as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("Your account is separated. Log in with your password."))
    return redirect("login_list")


def refused_page(request: HttpRequest, refusal: SignOnRefused) -> HttpResponse:
    """Record the refusal and render its sentence."""
    user = request.user if isinstance(request.user, User) else None
    recorded = sign_on_refused(user=user, refusal=refusal)
    is_away = refusal.reason == "away"
    context = {
        "text": MESSAGES[refusal.reason],
        "away_since": away_since() if is_away else "",
        "back": reverse("login_list" if user else "login"),
    }
    status = 503 if is_away else 400 if recorded else 429
    return render(request, "accounts/sign_on_refused.html", context, status=status)


def _to_provider(request: HttpRequest, **options: Any) -> HttpResponseBase:
    try:
        return redirect_to_provider(request, **options)
    except SignOnRefused as refusal:
        return refused_page(request, refusal)


def _claims(request: HttpRequest, state: Mapping[str, Any]) -> Claims:
    error, issuer = request.GET.get("error"), request.GET.get("iss")
    if error:
        raise SignOnRefused("cancelled" if error == "access_denied" else "provider", error)
    if issuer and issuer != sign_on_settings().issuer:  # RFC 9207
        raise SignOnRefused("token", "iss")
    nonce = str((state.get("data") or {}).get("nonce") or "")
    return verified_claims(tokens_for_code(request, state), nonce)


def _logged_in(request: HttpRequest, claims: Claims, next_url: str) -> HttpResponseBase:
    user = signed_on(claims=claims, sign_on=sign_on_settings())
    is_first = user.last_login is None
    now = time.time()
    at = authenticated_at(claims, now)
    is_recent = at is not None and now - at <= FRESH_SECONDS
    is_fresh = is_recent and has_wanted_acr(claims, sign_on_settings())
    session_open(
        request=request,
        user=user,
        fresh_at=at if is_fresh else None,
        provider_session=str(claims.get("sid") or "")[:255],
        by="provider",
        role=user.role,
    )
    if is_first:
        browser_preferences_save(
            user=user, language=get_language_from_request(request), time_zone=""
        )
    return redirect(_next_of(request, next_url))


def _confirmed(request: HttpRequest, claims: Claims, data: Mapping[str, Any]) -> HttpResponseBase:
    """Mark the login as fresh if the same person authenticated after the redirect."""
    user = _user_of_state(request, data)
    if not is_same_person(user=user, claims=claims, sign_on=sign_on_settings()):
        raise SignOnRefused("subject")
    session_confirm(request=request, at=_authenticated_again(claims, data))
    audit_record(user=user, action="confirm login", subject=user, by="provider")
    return render(request, "accounts/confirmed.html")


def _joined(request: HttpRequest, claims: Claims, data: Mapping[str, Any]) -> HttpResponseBase:
    """Join the account with the person who authenticated after the redirect.

    An older login at the provider may be another person's, who used this browser before. And who
    joins an account with a provider that cannot confirm could confirm nothing any more.
    """
    user = _user_of_state(request, data)
    _authenticated_again(claims, data)
    sign_on_join(user=user, claims=claims, sign_on=sign_on_settings())
    messages.success(request, _("Your account is joined. Log in through the provider now."))
    return redirect("login_list")


def _new_state(user: User, purpose: str) -> dict[str, Any]:
    """Return the state of a sign-on of a user who is logged in."""
    return {"for": purpose, "user": user.pk, "begun_at": time.time()}


def _authenticated_again(claims: Claims, data: Mapping[str, Any]) -> float:
    """Return when the person authenticated, which is after the redirect. Raises: SignOnRefused.

    Providers may ignore `max_age=0`, and allauth does not look at `auth_time`.
    """
    if not has_wanted_acr(claims, sign_on_settings()):
        raise SignOnRefused("acr")
    at = authenticated_at(claims, time.time())
    if at is None or at < float(data["begun_at"]) - 2:  # two clocks, in whole seconds
        raise SignOnRefused("stale")
    return at


def _user_of_state(request: HttpRequest, data: Mapping[str, Any]) -> User:
    if not isinstance(request.user, User) or request.user.pk != data.get("user"):
        raise SignOnRefused("state")
    return request.user


def _next_of(request: HttpRequest, address: str) -> str:
    is_own = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_own else reverse(settings.LOGIN_REDIRECT_URL)

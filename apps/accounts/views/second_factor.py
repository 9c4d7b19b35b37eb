"""Second factors of the own account: app, passkeys, recovery codes."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.forms import PasskeyForm, TotpForm
from apps.accounts.mfa_adapter import MfaAdapter, rp_id
from apps.accounts.models import User
from apps.accounts.passkeys import registration_options, verified_registration
from apps.accounts.permissions import user_of
from apps.accounts.selectors import (
    is_second_factor_required,
    recovery_codes_left,
    second_factors_of,
)
from apps.accounts.services import (
    passkey_add,
    recovery_codes_renew,
    second_factor_remove,
    totp_activate,
)
from apps.accounts.views import account_tabs
from apps.accounts.views.fresh_login import fresh_login_required
from apps.common.database.encryption import SecretUnreadable, decrypt, encrypt
from apps.common.errors import ServiceError


@never_cache
@require_safe
def second_factor_list(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    factors = second_factors_of(user)
    context = {
        "factors": factors,
        "has_app": any(factor.type == Authenticator.Type.TOTP for factor in factors),
        "codes_left": recovery_codes_left(user),
        "is_required": is_second_factor_required(user),
        "sign_on": settings.OIDC if user.is_external else None,
        "rp_id": rp_id(),
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/second_factor_list.html", context)


@never_cache
@fresh_login_required()
def totp_add(request: HttpRequest) -> HttpResponse:
    """Show a new secret and take its first code. The browser holds the secret, encrypted."""
    user = user_of(request)
    form = TotpForm(request.POST or None)
    secret = _opened(user, request.POST.get("sealed", "")) or generate_totp_secret()
    if request.method == "POST" and form.is_valid():
        try:
            codes = totp_activate(user=user, secret=secret, code=form.cleaned_data["code"])
        except ServiceError as refused:
            form.add_error("code", refused.message)
        else:
            return _added(request, codes, _("The second factor is added."))
    adapter = MfaAdapter()
    picture = adapter.build_totp_svg(adapter.build_totp_url(user, secret))
    context = {
        "form": form,
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "sealed": encrypt(secret, _context(user)).decode(),
        # Without its XML declaration the picture is a part of the page.
        "picture": mark_safe(picture.partition("?>")[2]),  # drawn from our own text
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/totp_add.html", context, status=400 if form.errors else 200)


@never_cache
@fresh_login_required()
def passkey_add_page(request: HttpRequest) -> HttpResponse:
    """Register a passkey; a script talks to the browser."""
    user = user_of(request)
    form = PasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        credential = verified_registration(form.cleaned_data["credential"])
        if credential is not None:
            name = form.cleaned_data["name"]
            codes = passkey_add(user=user, name=name, credential=credential)
            return _added(request, codes, _("The second factor is added."))
        form.add_error(None, _("The browser's answer is not valid. Try again."))
    context = {
        "form": form,
        "options": registration_options(user),
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/passkey_add.html", context, status=400 if form.errors else 200)


@require_POST
@fresh_login_required()
def second_factor_remove_page(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    own = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES)
    second_factor_remove(user=user, factor=get_object_or_404(own, pk=pk))
    messages.success(request, _("The second factor is removed."))
    return redirect("second_factor_list")


@never_cache
@require_POST
@fresh_login_required()
def recovery_codes_page(request: HttpRequest) -> HttpResponse:
    """Replace the recovery codes. The response shows them once."""
    user = user_of(request)
    if not second_factors_of(user):
        messages.error(request, _("Add an app or a passkey first."))
        return redirect("second_factor_list")
    codes = recovery_codes_renew(user=user)
    return _added(request, codes, _("The earlier recovery codes are void."))


def _added(request: HttpRequest, codes: list[str], text: str) -> HttpResponse:
    messages.success(request, text)
    if not codes:
        return redirect("second_factor_list")
    context = {"codes": codes, "tabs": account_tabs(request)}
    return render(request, "accounts/recovery_codes.html", context)


def _opened(user: User, sealed: str) -> str:
    try:
        return decrypt(sealed.encode(), _context(user)) if sealed else ""
    except SecretUnreadable:
        return ""


def _context(user: User) -> str:
    return f"new totp:{user.pk}"

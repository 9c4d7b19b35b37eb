"""The user's logins: list and end."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.models import Role, User
from apps.accounts.permissions import role_required, user_of
from apps.accounts.selectors import can_log_in_locally, sessions_of
from apps.accounts.services import (
    other_sessions_end,
    second_factors_reset,
    session_end,
    user_separate,
    user_sessions_end,
)
from apps.accounts.views import account_tabs
from apps.accounts.views.fresh_login import fresh_login_required


@never_cache
@require_safe
def login_list(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    context = {
        "logins": list(sessions_of(user)),
        "current": request.session.session_key,
        "sign_on": settings.OIDC,
        "can_separate": can_log_in_locally(user),
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/login_list.html", context)


@require_POST
@fresh_login_required()
def login_end(request: HttpRequest, reference: uuid.UUID) -> HttpResponse:
    user = user_of(request)
    session = get_object_or_404(sessions_of(user), reference=reference)
    is_own = session.pk == request.session.session_key
    session_end(user=user, session=session)
    if is_own:
        logout(request)
        return redirect("login")
    messages.success(request, _("That login has ended."))
    return redirect("login_list")


@require_POST
@fresh_login_required()
def logins_end_others(request: HttpRequest) -> HttpResponse:
    count = other_sessions_end(request=request, user=user_of(request))
    text = ngettext("%(count)d other login has ended.", "%(count)d other logins have ended.", count)
    messages.success(request, text % {"count": count})
    return redirect("login_list")


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def user_logins_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End all logins of a user, as an admin."""
    user = get_object_or_404(User, pk=pk)
    user_sessions_end(user=user, by=user_of(request))
    messages.success(request, _("All logins of %(name)s have ended.") % {"name": user.username})
    return redirect("user_list")


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def user_separate_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Separate a user's account from the provider, as an admin."""
    user = get_object_or_404(User, pk=pk)
    user_separate(user=user, by=user_of(request))
    text = _("The account of %(name)s is separated. Set a password for it.")
    messages.success(request, text % {"name": user.username})
    return redirect("user_edit", pk=pk)


@require_POST
@role_required(Role.ADMIN)
@fresh_login_required()
def user_second_factor_reset(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove the second factors of a user who lost them, as an admin."""
    user = get_object_or_404(User, pk=pk)
    second_factors_reset(user=user, by=user_of(request))
    text = _("%(name)s logs in without a second factor now.") % {"name": user.username}
    messages.success(request, text)
    return redirect("user_list")

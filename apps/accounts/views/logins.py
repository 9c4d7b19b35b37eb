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

from apps.accounts.permissions import user_of
from apps.accounts.selectors import sessions_of
from apps.accounts.services import other_sessions_end, session_end
from apps.accounts.views import account_tabs


@never_cache
@require_safe
def login_list(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    context = {
        "logins": list(sessions_of(user)),
        "current": request.session.session_key,
        "sign_on": settings.OIDC,
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/login_list.html", context)


@require_POST
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
def logins_end_others(request: HttpRequest) -> HttpResponse:
    count = other_sessions_end(request=request, user=user_of(request))
    text = ngettext("%(count)d other login has ended.", "%(count)d other logins have ended.", count)
    messages.success(request, text % {"count": count})
    return redirect("login_list")

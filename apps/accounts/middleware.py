"""Session idle timeout, preferences of pages, default views of lists, record of refused requests.

A session ends BENCHLAB_SESSION_IDLE_MINUTES after its last use.
"""

from __future__ import annotations

import time

from django.conf import settings
from django.contrib.auth import logout
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import redirect
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.presenters.saved_views import views_of_request
from apps.accounts.selectors import has_second_factor, is_second_factor_required
from apps.accounts.services import refusal_record
from apps.accounts.sessions import LOGIN, USED
from apps.common.domain.navigation import LISTS
from apps.common.domain.preferences import USUAL, prefer
from apps.common.errors import error_body

FORBIDDEN = 403
PROGRAMS = "/api/"
DATA_FORMATS = frozenset({"csv", "json", "parquet"})
"""Formats (`?format=`) that programs read: in English and UTC for every user."""
STEPS = 60
"""Session key: the user has a second factor."""
WITHOUT_SECOND_FACTOR = frozenset(
    {"second_factor_list", "totp_add", "passkey_add", "logout", "login", "healthz", "readyz"}
)
"""URL names that BENCHLAB_MFA leaves open."""


class SessionIdleTimeoutMiddleware(MiddlewareMixin):
    """Extends a session in use, at most every 60th of its lifetime; ends it after its maximum.

    The expiry counts from the last write. Requests that a page sends by itself (polling) are no
    use, so an unattended page does not extend the session.
    """

    def process_request(self, request: HttpRequest) -> None:
        session = request.session
        since = session.get(LOGIN, {}).get("since") if session.session_key else None
        if since is not None and time.time() - since > settings.SESSION_MAX_SECONDS:
            logout(request)
            return
        if not session.session_key or is_by_itself(request) or not request.user.is_authenticated:
            return
        now, life = int(time.time()), settings.SESSION_COOKIE_AGE
        if now - session.get(USED, 0) >= max(1, min(60, life // STEPS)):
            session[USED] = now


class PreferencesMiddleware(MiddlewareMixin):
    """Activates the user's preferences while a page is rendered.

    The API and data files use the defaults and English, whatever language the client accepts.
    """

    def process_request(self, request: HttpRequest) -> None:
        for_programs = is_for_programs(request)
        mine = USUAL
        if request.session.session_key and not for_programs:
            user = request.user
            mine = user.preferences if isinstance(user, User) else USUAL
        prefer(mine)
        language = settings.LANGUAGE_CODE if for_programs else mine.language
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        prefer(USUAL)
        return response


class SecondFactorMiddleware(MiddlewareMixin):
    """Leads users who need a second factor (BENCHLAB_MFA) and have none to the page that adds one.

    API tokens work on.
    """

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        user, match = request.user, request.resolver_match
        if settings.BENCHLAB_MFA == "optional" or not isinstance(user, User) or match is None:
            return None
        if match.url_name in WITHOUT_SECOND_FACTOR:
            return None
        if not is_second_factor_required(user) or has_second_factor(user):
            return None
        if request.path.startswith(PROGRAMS):
            text = _("Add a second factor on the page Second factor first.")
            return JsonResponse(error_body(403, text), status=403)
        return redirect("second_factor_list")


class DefaultViewMiddleware(MiddlewareMixin):
    """Opens a list without a query with the user's default view."""

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        match, user = request.resolver_match, request.user
        if request.method != "GET" or request.META.get("QUERY_STRING") or match is None:
            return None
        if match.url_name not in LISTS or not isinstance(user, User):
            return None
        for saved in views_of_request(request, user, match.url_name):
            if getattr(saved, "is_default", False):
                return HttpResponseRedirect(f"{request.path}?{saved.query}")
        return None


class RefusedRequestMiddleware(MiddlewareMixin):
    """Records requests of users who have no right to them (403), forged forms too.

    A page that asks for a fresh login refuses nothing. The user of an API token is the one that
    REST framework sets on Django's request.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.status_code != FORBIDDEN or getattr(request, "asks_identity", False):
            return response
        user = request.user
        if isinstance(user, User):
            refusal_record(user=user, method=request.method or "", path=request.path)
        return response


def is_for_programs(request: HttpRequest) -> bool:
    """Return True for the API and for files that programs read."""
    return request.path.startswith(PROGRAMS) or request.GET.get("format") in DATA_FORMATS


def is_by_itself(request: HttpRequest) -> bool:
    """Return True for a request that the page sent by itself."""
    return request.method in ("GET", "HEAD") and "HX-Request" in request.headers

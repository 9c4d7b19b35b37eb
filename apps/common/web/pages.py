"""Responses for unknown URLs and defects: JSON under /api/, else a page."""

from __future__ import annotations

import sys
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, resolve_url
from django.template import loader
from django.urls import is_valid_path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from apps.common.database.availability import (
    RETRY_SECONDS,
    is_database_unavailable,
    unavailable_message,
)
from apps.common.errors import error_body
from apps.common.web.request_id import current_request_id


def error_response(request: HttpRequest, status: int, message: str) -> HttpResponseBase:
    """Return JSON for scripts, or the page templates/errors/<status>.html."""
    if request.path.startswith("/api/"):
        return JsonResponse(error_body(status, message), status=status)
    names = [f"errors/{status}.html", "errors/error.html"]
    content = loader.render_to_string(names, _values(status, message), request)
    return HttpResponse(content, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    text = str(exception) if isinstance(exception, BadRequest) else ""
    return error_response(request, 400, text or _("The request is not valid."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return error_response(request, 403, str(exception) or _("You may not do this."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return error_response(request, 404, _("There is nothing with this address."))


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Return 500, or 503 for an unavailable database; called while the exception is handled."""
    error = sys.exc_info()[1]
    if error is not None and is_database_unavailable(error):
        return database_away(request, error)
    return error_response(request, 500, _("benchlab failed here. The log has the cause."))


def _values(status: int, message: str) -> dict[str, object]:
    return {"status": status, "message": message, "request_id": current_request_id()}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Return 403 for a form of another site, or one that was open for too long.

    The page links the login if the session has ended, else the page of the form.
    """
    back = form_page(request)
    context = {"reason": reason, "back": back, "login": ""}
    if not request.user.is_authenticated:
        login = resolve_url(settings.LOGIN_URL)
        is_login = urlsplit(back).path == login
        context["login"] = back if is_login else f"{login}?{urlencode({'next': back})}"
    content = loader.render_to_string("errors/403_csrf.html", context, request)
    return HttpResponse(content, status=403)


def no_page(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the object's page from an address that takes only forms.

    A browser asks for it when someone reloads the page of a refused form.
    """
    text = _("This address is for a button or a form. Nothing was changed.")
    messages.info(request, text)
    return redirect(page_above(request.path_info))


def form_page(request: HttpRequest) -> str:
    """Return the address of the form's page: the referrer if it is of this site."""
    referrer = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        referrer, {request.get_host()}, require_https=request.is_secure()
    )
    if not referrer or not is_ours:
        return page_above(request.path_info)
    parts = urlsplit(referrer)
    # Browsers take two slashes or backslashes at the beginning for another site.
    path = "/" + parts.path.lstrip("/\\")
    return urlunsplit(("", "", path, parts.query, ""))


def page_above(path: str) -> str:
    """Return the nearest known address above this one: "/runs/5/" of "/runs/5/cancel/"."""
    while path != "/":
        path = f"{path.rstrip('/').rpartition('/')[0]}/"
        if is_valid_path(path):
            return path
    return "/"


def database_away(request: HttpRequest, error: BaseException | None = None) -> HttpResponseBase:
    """Return 503 without a database query: neither session nor user is known."""
    message = unavailable_message(error)
    response: HttpResponse = (
        JsonResponse(error_body(503, message), status=503)
        if request.path.startswith("/api/")
        else HttpResponse(
            loader.render_to_string(
                "errors/503.html", {"message": message, "again": request.method == "GET"}
            ),
            status=503,
        )
    )
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response

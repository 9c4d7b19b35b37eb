"""Responses for unknown URLs and defects: JSON under /api/, else a page."""

from __future__ import annotations

import sys

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template import loader
from django.utils.translation import gettext as _

from apps.common.database.availability import (
    RETRY_SECONDS,
    is_database_unavailable,
    unavailable_message,
)
from apps.common.errors import error_body


def error_response(request: HttpRequest, status: int, message: str) -> HttpResponseBase:
    """Return JSON for scripts, or the page templates/errors/<status>.html."""
    if request.path.startswith("/api/"):
        return JsonResponse(error_body(status, message), status=status)
    names = [f"errors/{status}.html", "errors/error.html"]
    content = loader.render_to_string(names, {"status": status, "message": message}, request)
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
    return error_response(request, 500, _("benchlab failed here. The log says why."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Return 403 for a form of another site, or one that was open for too long."""
    return HttpResponse(
        loader.render_to_string("errors/403_csrf.html", {"reason": reason}, request), status=403
    )


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

"""Answers for an address that is not there and for a defect: JSON under /api/, a page
elsewhere.
"""

from __future__ import annotations

import sys

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
    """The error as JSON for scripts, as the page templates/errors/<status>.html for people."""
    if request.path.startswith("/api/"):
        return JsonResponse(error_body(status, message), status=status)
    names = [f"errors/{status}.html", "errors/error.html"]
    content = loader.render_to_string(names, {"status": status, "message": message}, request)
    return HttpResponse(content, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return error_response(request, 400, _("The request is not valid."))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return error_response(request, 403, str(exception) or _("You may not do this."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return error_response(request, 404, _("There is nothing with this address."))


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Called while the exception is handled: a database that is away is nobody's defect."""
    error = sys.exc_info()[1]
    if error is not None and is_database_unavailable(error):
        return database_away(request, error)
    return error_response(request, 500, _("benchlab failed here. The log says why."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """A form that did not come from one of our own pages, or from one that was open for too
    long.
    """
    return HttpResponse(
        loader.render_to_string("errors/403_csrf.html", {"reason": reason}, request), status=403
    )


def database_away(request: HttpRequest, error: BaseException | None = None) -> HttpResponseBase:
    """503, said without the database: the page knows neither the session nor the person."""
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

"""Limit of request bodies: the size of an import, and less without a login."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from apps.accounts.authentication import TokenAuthentication
from apps.common.web.pages import error_response

ANONYMOUS = 64 * 1024
"""Bytes permitted without a login; a login form is far smaller."""
FORM = 8 * 1024**2
"""Bytes of a form around its files."""


class UploadLimit:
    """Refuses a request before its body is read.

    411 without a length, 413 above the limit, and above ANONYMOUS bytes without a login. Follows
    AuthenticationMiddleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return _refusal(request) or self.get_response(request)


def _refusal(request: HttpRequest) -> HttpResponseBase | None:
    if "Transfer-Encoding" in request.headers:
        return error_response(request, 411, _("The request needs a Content-Length."))
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    if length > settings.BENCHLAB_IMPORT_MAX_MIB * 1024**2 + FORM:
        return error_response(request, 413, _("The body is too large."))
    if length <= ANONYMOUS or request.user.is_authenticated:
        return None
    try:
        result = TokenAuthentication().authenticate(Request(request))
    except APIException as error:
        return error_response(request, error.status_code, str(error.detail))
    message = _("Log in first: a body as large as this is taken from users only.")
    return None if result else error_response(request, 401, message)

"""Security headers, and the caller's address for the audit log."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.utils.deprecation import MiddlewareMixin

from apps.common.errors import is_unique_violation, taken_words
from apps.common.web.pages import error_response, no_page
from apps.common.web.request import Network, client_address, is_among, remember_address

# Plotly sets style attributes and draws its picture downloads from data: and blob: addresses.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

REVALIDATED = "private, no-cache"
"""Cache-Control of pages with an ETag: browsers store them and revalidate."""
PAGE_METHODS = ("GET", "HEAD", "OPTIONS", "POST")
PROBES = frozenset({"/healthz", "/readyz"})

Handler = Callable[[HttpRequest], HttpResponseBase]


def security_headers(get_response: Handler) -> Handler:
    """Add a Content-Security-Policy that loads nothing from elsewhere; disable caching.

    Browsers may cache pages with an ETag.
    """

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        cached = response.headers.get("Cache-Control", "")
        if cached != REVALIDATED and "no-store" not in cached:
            response.headers["Cache-Control"] = "no-store"
        return response

    return handle


def caller_address(get_response: Handler) -> Handler:
    """Set `apps.common.web.request.current_address` during the request."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        look_at_caller(request)
        return get_response(request)

    return handle


def look_at_caller(request: HttpRequest) -> None:
    """Take the caller and the scheme from trusted proxies' headers."""
    proxies: list[Network] = settings.BENCHLAB_TRUSTED_PROXIES
    peer = str(request.META.get("REMOTE_ADDR") or "")
    if proxies and not is_among(peer, proxies):
        request.META.pop("HTTP_X_FORWARDED_PROTO", None)
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    remember_address(client_address(peer, forwarded, proxies))


class ProbesAreNobody(MiddlewareMixin):
    """Skips the user of health probes.

    A session cookie would cause a database query before /healthz or /readyz can report that the
    database is down.
    """

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info in PROBES:
            request.COOKIES.clear()


class PageMethods(MiddlewareMixin):
    """Refuses methods that no page supports; a page in response to PUT would look like success."""

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        if request.method in PAGE_METHODS or request.path_info.startswith("/api/"):
            return None
        return HttpResponseNotAllowed(PAGE_METHODS)


class FormAddresses(MiddlewareMixin):
    """Redirects to the object's page on GET if a view takes only POST; Django's 405 is empty."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_refused = isinstance(response, HttpResponseNotAllowed) and request.method == "GET"
        if not is_refused or request.path_info.startswith("/api/"):
            return response
        is_page = request.accepts("text/html") and "HX-Request" not in request.headers
        return no_page(request) if is_page else response


class TakenNames(MiddlewareMixin):
    """Renders a page if two requests created the same name at once."""

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        return (
            error_response(request, 409, taken_words()) if is_unique_violation(exception) else None
        )

"""Work around every request: security headers, and the caller's address for the audit
record.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.utils.deprecation import MiddlewareMixin

from apps.common.errors import is_unique_violation, taken_words
from apps.common.web.pages import error_response
from apps.common.web.request import Network, client_address, is_among, remember_address

# Plotly sets style attributes and draws its picture downloads from data: and blob: addresses.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

REVALIDATED = "private, no-cache"
"""Cache-Control of pages with an ETag: browsers store them and ask before they show one."""
PAGE_METHODS = ("GET", "HEAD", "OPTIONS", "POST")
PROBES = frozenset({"/healthz", "/readyz"})

Handler = Callable[[HttpRequest], HttpResponseBase]


def security_headers(get_response: Handler) -> Handler:
    """Nothing is loaded from, or sent to, anywhere but benchlab itself. No proxy stores an answer,
    and no browser, but for pages with an ETag.
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
    """Makes `apps.common.web.request.current_address` answer for as long as the request lasts."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        look_at_caller(request)
        return get_response(request)

    return handle


def look_at_caller(request: HttpRequest) -> None:
    """Believe trusted proxies, and nobody else, about the caller and the scheme."""
    proxies: list[Network] = settings.BENCHLAB_TRUSTED_PROXIES
    peer = str(request.META.get("REMOTE_ADDR") or "")
    if proxies and not is_among(peer, proxies):
        request.META.pop("HTTP_X_FORWARDED_PROTO", None)
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    remember_address(client_address(peer, forwarded, proxies))


class ProbesAreNobody(MiddlewareMixin):
    """The user of a health probe is not looked up: with a browser's cookie the session would be
    read from the database before /healthz or /readyz could say that it is away.
    """

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info in PROBES:
            request.COOKIES.clear()


class PageMethods(MiddlewareMixin):
    """Refuses what no page answers: a form that comes back for PUT or DELETE looks as if something
    had been changed.
    """

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        if request.method in PAGE_METHODS or request.path_info.startswith("/api/"):
            return None
        return HttpResponseNotAllowed(PAGE_METHODS)


class TakenNames(MiddlewareMixin):
    """Two people asked for the same name at once: the second one gets a page that says so."""

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        return (
            error_response(request, 409, taken_words()) if is_unique_violation(exception) else None
        )

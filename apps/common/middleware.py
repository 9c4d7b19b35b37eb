"""What happens around every request: one security header, and the caller's address for the audit
record."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from apps.common.request import remember_address

# Plotly sets style attributes and draws its picture downloads from data: and blob: addresses.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

Handler = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def content_security_policy(get_response: Handler) -> Handler:
    """Nothing is loaded from, or sent to, anywhere but benchlab itself."""
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await get_response(request)
            response.headers.setdefault("Content-Security-Policy", POLICY)
            return response

        return handle_async

    def handle(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)  # type: ignore[assignment] # the sync case
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return handle


@sync_and_async_middleware
def caller_address(get_response: Handler) -> Handler:
    """Makes `apps.common.request.current_address` answer for as long as the request lasts."""
    if iscoroutinefunction(get_response):

        async def handle_async(request: HttpRequest) -> HttpResponseBase:
            remember_address(str(request.META.get("REMOTE_ADDR") or ""))
            response: HttpResponseBase = await get_response(request)
            return response

        return handle_async

    def handle(request: HttpRequest) -> HttpResponseBase:
        remember_address(str(request.META.get("REMOTE_ADDR") or ""))
        response: HttpResponseBase = get_response(request)  # type: ignore[assignment] # the sync case
        return response

    return handle

"""Compression of pages and API responses."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = (
    "text/html",
    "application/json",
    "application/vnd.oai.openapi",
    "text/csv",
    "text/plain",
    "text/markdown",
)


class Compression(GZipMiddleware):
    """gzip with Django's random padding, which prevents BREACH.

    CSRF tokens are masked anew in each page as well. Streamed responses are not compressed: an
    event must not wait in a buffer, and a download has a Content-Length.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in COMPRESSED:
            return response
        return super().process_response(request, response)

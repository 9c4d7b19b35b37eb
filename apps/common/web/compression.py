"""Pages and the API's answers are sent compressed."""

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
    """gzip, with Django's random number of bytes in each answer: whoever can make a browser ask
    and sees how long the answers are (BREACH) learns nothing of a secret in the page from it.
    Tokens against forged forms are masked anew in each page besides. What is sent piece by piece
    is left alone: an event must not wait in a buffer, and a download says its length.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in COMPRESSED:
            return response
        return super().process_response(request, response)

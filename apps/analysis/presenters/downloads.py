"""An analysis result as a file response."""

from __future__ import annotations

from django.http import (
    StreamingHttpResponse,
)

from apps.analysis.presenters.formats import File

FORMAT_PARAMETERS = ("format", "table")
"""Names of a query that say how an result is sent, not what is asked."""


def file_response(found: File) -> StreamingHttpResponse:
    """A file as an result, piece by piece."""
    response = StreamingHttpResponse(found.pieces, content_type=found.media_type)
    response["Content-Disposition"] = f'attachment; filename="{found.name}"'
    return response

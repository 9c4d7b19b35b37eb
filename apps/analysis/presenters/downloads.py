"""Analysis result as a streamed file response."""

from __future__ import annotations

from django.http import (
    StreamingHttpResponse,
)

from apps.analysis.presenters.formats import File

FORMAT_PARAMETERS = ("format", "table")
"""Query names of the file format; not part of the analysis query."""


def file_response(file: File) -> StreamingHttpResponse:
    """Return a streamed file response."""
    response = StreamingHttpResponse(file.pieces, content_type=file.media_type)
    response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response

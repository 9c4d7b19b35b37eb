"""Downloads of stored files, streamed in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import BinaryField, QuerySet
from django.db.models.functions import Substr
from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

PIECE = 1 << 20


def column_pieces(rows: QuerySet[Any], column: str) -> Iterator[bytes]:
    """Yield a binary column of a single row, PIECE bytes a query; nothing without a row."""
    position = 1
    while True:
        part = Substr(column, position, PIECE, output_field=BinaryField())
        piece = bytes(rows.order_by().values_list(part, flat=True).first() or b"")
        if piece:
            yield piece
        if len(piece) < PIECE:
            return
        position += PIECE


def download(pieces: Iterator[bytes], *, size: int, name: str) -> StreamingHttpResponse:
    """Return a response that a browser saves under this name, `size` bytes in all.

    If the pieces end early, the connection closes, and Content-Length reveals it.
    """
    response = StreamingHttpResponse(pieces, content_type="application/octet-stream")
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response


def attached(data: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a generated file as a download."""
    response = HttpResponse(data, content_type=media_type)
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response

"""Stored files as downloads: sent in pieces; a request holds one of them, never the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import BinaryField, QuerySet
from django.db.models.functions import Substr
from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

PIECE = 1 << 20


def column_pieces(rows: QuerySet[Any], column: str) -> Iterator[bytes]:
    """A binary column of the only row, at most PIECE of it a query; nothing where there is none."""
    place = 1
    while True:
        part = Substr(column, place, PIECE, output_field=BinaryField())
        piece = bytes(rows.order_by().values_list(part, flat=True).first() or b"")
        if piece:
            yield piece
        if len(piece) < PIECE:
            return
        place += PIECE


def download(pieces: Iterator[bytes], *, size: int, name: str) -> StreamingHttpResponse:
    """An answer with these bytes, `size` in all, that a browser saves under this name and never
    shows as a page of ours. Where they end early, so does the connection: the length tells.
    """
    response = StreamingHttpResponse(pieces, content_type="application/octet-stream")
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response


def attached(data: bytes, name: str, media_type: str) -> HttpResponse:
    """A file that was made for this request, to be saved under this name."""
    response = HttpResponse(data, content_type=media_type)
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response

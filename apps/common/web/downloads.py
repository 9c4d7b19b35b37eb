"""Stored files as downloads: sent in pieces; a request holds one of them, never the file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db.models import BinaryField, QuerySet
from django.db.models.functions import Substr
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

PIECE = 1 << 20
SMALL = 1 << 16
"""Bytes; smaller pieces of an answer are sent together, as each takes a turn of a thread."""


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


def download(
    request: HttpRequest, pieces: Iterator[bytes], *, size: int, name: str
) -> StreamingHttpResponse:
    """An answer with these bytes, `size` in all, that a browser saves under this name and never
    shows as a page of ours. Where they end early, so does the connection: the length tells.
    """
    response = streamed(request, pieces, "application/octet-stream")
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response


def streamed(
    request: HttpRequest, pieces: Iterator[bytes], media_type: str
) -> StreamingHttpResponse:
    """An answer that is sent while its pieces are made: what is held does not grow with them."""
    # Under ASGI Django would gather what a plain iterator gives before it sends anything.
    is_async = isinstance(request, ASGIRequest)
    content: Any = _from_threads(_together(pieces)) if is_async else pieces
    return StreamingHttpResponse(content, content_type=media_type)


def _together(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of at least SMALL, but for the last."""
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= SMALL:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def attached(data: bytes, name: str, media_type: str) -> HttpResponse:
    """A file that was made for this request, to be saved under this name."""
    response = HttpResponse(data, content_type=media_type)
    response["Content-Disposition"] = str(content_disposition_header(True, name))
    return response


async def _from_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Each piece is fetched in a thread: the event loop serves others meanwhile."""
    following = sync_to_async(lambda: next(pieces, None))
    while (piece := await following()) is not None:
        yield piece

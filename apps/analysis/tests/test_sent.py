"""A file of an answer is sent while it is made."""

from __future__ import annotations

from collections.abc import Iterator

from asgiref.sync import async_to_sync
from django.http import HttpRequest
from django.test import AsyncRequestFactory, RequestFactory

from apps.analysis.renderings.formats import File
from apps.analysis.views import sent


def pieces_of(request: HttpRequest, made: list[int]) -> list[bytes]:
    def pieces() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield b"x" * 70_000

    answer = sent(request, File("a.csv", "text/csv", pieces()))
    assert answer["Content-Disposition"] == 'attachment; filename="a.csv"'
    assert made == []
    if not answer.is_async:
        return list(answer)

    async def fetched() -> list[bytes]:
        return [piece async for piece in answer]

    return async_to_sync(fetched)()


def test_under_both_kinds_of_server_a_piece_comes_when_it_is_made() -> None:
    for request in (RequestFactory().get("/"), AsyncRequestFactory().get("/")):
        made: list[int] = []
        assert pieces_of(request, made) == [b"x" * 70_000] * 3
        assert made == [0, 1, 2]

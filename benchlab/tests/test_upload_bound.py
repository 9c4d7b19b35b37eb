"""A request that is larger than an import may be is answered before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from benchlab.upload_bound import UploadBound


async def reads_all(scope: Any, receive: Any, send: Any) -> None:
    """An application that takes the whole body, and gives up when the client is gone."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


async def answer(pieces: list[bytes], headers: list[tuple[bytes, bytes]]) -> tuple[int, int]:
    """Status of the answer, and how many pieces of the body were read."""
    sent: list[Mapping[str, Any]] = []
    left = list(pieces)

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/api/v1/imports/", "headers": headers}
    await UploadBound(reads_all, 100)(scope, receive, send)
    return sent[0]["status"], len(pieces) - len(left)


async def test_an_announced_length_is_refused_unread() -> None:
    assert await answer([b"x" * 101], [(b"content-length", b"101")]) == (413, 0)


async def test_a_body_without_a_length_is_counted() -> None:
    assert await answer([b"x" * 60, b"x" * 60, b"x"], []) == (413, 2)


@pytest.mark.parametrize("headers", [[], [(b"content-length", b"100")]])
async def test_what_fits_goes_through(headers: list[tuple[bytes, bytes]]) -> None:
    assert await answer([b"x" * 50, b"x" * 50], headers) == (200, 2)

"""No request is larger than an import may be: Django itself takes a body of any length to disk
before anybody is asked who sent it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]
SENTENCE = "The body is too large."


class UploadBound:
    """An ASGI application that answers 413 instead of reading more than `most` bytes of a body."""

    def __init__(self, application: Application, most: int) -> None:
        self._application, self._most = application, most

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
        elif _announced(scope) > self._most:
            await _refuse(scope, send)
        else:
            await self._counted(scope, receive, send)

    async def _counted(self, scope: Any, receive: Receive, send: Send) -> None:
        """A body without an announced length is counted as it comes."""
        size, over = 0, False

        async def counting() -> Message:
            nonlocal size, over
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._most:
                over = True
                return {"type": "http.disconnect"}  # Django gives the request up
            return message

        async def unless_over(message: Message) -> None:
            if not over:
                await send(message)

        await self._application(scope, counting, unless_over)
        if over:
            await _refuse(scope, send)


def _announced(scope: Any) -> int:
    for name, value in scope["headers"]:
        if name.lower() == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(scope: Any, send: Send) -> None:
    as_json = scope["path"].startswith("/api/")
    error = {"error": {"kind": "too_large", "message": SENTENCE, "fields": {}}}
    body = json.dumps(error).encode() if as_json else SENTENCE.encode()
    kind = b"application/json" if as_json else b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    headers += [(b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})

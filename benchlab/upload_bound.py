"""No body is larger than an import may be, and a large one is read from users only: Django itself
takes a body of any length to disk before anybody is asked who sent it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Receive, Send], Awaitable[None]]
Asked = Callable[[Any], Awaitable[int]]
ANONYMOUS = 64 * 1024
"""Bytes that anybody may send: a login is far smaller."""
REFUSALS = {
    401: ("not_authenticated", "Log in first: a body as large as this is taken from users only."),
    403: ("not_allowed", "This token may not send anything."),
    413: ("too_large", "The body is too large."),
    429: ("too_many_requests", "Too many wrong tokens came from this address."),
    503: ("unavailable", "The database does not answer."),
}


@dataclass(frozen=True)
class UploadBound:
    """An ASGI application that answers instead of reading: 413 above `most` bytes of a body, and,
    above `ANONYMOUS` bytes, what `asked` says of who sends them (0: they may)."""

    application: Application
    most: int
    asked: Asked

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        announced = _announced(scope)
        refusal = 413 if announced > self.most else 0
        if not refusal and announced > ANONYMOUS:
            refusal = await self.asked(scope)
        if refusal:
            await _refuse(scope, send, refusal)
        else:
            await _Counted(self, scope, receive, announced > ANONYMOUS).run(send)


class _Counted:
    """One request whose body is counted as it comes: its length need not have been announced."""

    def __init__(self, bound: UploadBound, scope: Any, receive: Receive, known: bool) -> None:
        self._bound, self._scope, self._receive, self._known = bound, scope, receive, known
        self._size = self._refusal = 0

    async def run(self, send: Send) -> None:
        async def unless_refused(message: Message) -> None:
            if not self._refusal:
                await send(message)

        await self._bound.application(self._scope, self._next, unless_refused)
        if self._refusal:
            await _refuse(self._scope, send, self._refusal)

    async def _next(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > self._bound.most:
            self._refusal = 413
        elif self._size > ANONYMOUS and not self._known:
            self._refusal = await self._bound.asked(self._scope)
            self._known = not self._refusal
        # Django gives a request up whose client is gone.
        return {"type": "http.disconnect"} if self._refusal else message


def _announced(scope: Any) -> int:
    for name, value in scope["headers"]:
        if name.lower() == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(scope: Any, send: Send, status: int) -> None:
    as_json = scope["path"].startswith("/api/")
    kind, sentence = REFUSALS.get(status, REFUSALS[401])
    error = {"error": {"kind": kind, "message": sentence, "fields": {}}}
    body = json.dumps(error).encode() if as_json else sentence.encode()
    form = b"application/json" if as_json else b"text/plain; charset=utf-8"
    headers = [(b"content-type", form), (b"content-length", str(len(body)).encode())]
    headers += [(b"connection", b"close"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

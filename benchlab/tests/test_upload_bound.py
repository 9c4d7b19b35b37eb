"""A request that is larger than an import may be is answered before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import AuditEntry, User
from apps.accounts.services import token_create
from benchlab.callers import _refusal
from benchlab.upload_bound import ANONYMOUS, UploadBound

MOST = 100 * ANONYMOUS


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


async def answer(
    pieces: list[bytes], headers: list[tuple[bytes, bytes]], refusal: int = 0
) -> tuple[int, int]:
    """Status of the answer, and how many pieces of the body were read. `refusal`: what is said of
    the caller."""
    sent: list[Mapping[str, Any]] = []
    left = list(pieces)

    async def receive() -> Mapping[str, Any]:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/api/v1/imports/", "headers": headers}

    async def asked(_scope: Any) -> int:
        return refusal

    await UploadBound(reads_all, MOST, asked)(scope, receive, send)
    return sent[0]["status"], len(pieces) - len(left)


async def test_an_announced_length_is_refused_unread() -> None:
    assert await answer([b"x"], [(b"content-length", str(MOST + 1).encode())]) == (413, 0)


async def test_a_body_without_a_length_is_counted() -> None:
    most = b"x" * (MOST * 6 // 10)
    assert await answer([most, most, b"x"], []) == (413, 2)


@pytest.mark.parametrize("headers", [[], [(b"content-length", str(MOST).encode())]])
async def test_what_fits_goes_through(headers: list[tuple[bytes, bytes]]) -> None:
    half = b"x" * (MOST // 2)
    assert await answer([half, half], headers) == (200, 2)


@pytest.mark.parametrize("refusal", [401, 403, 429, 503])
async def test_whom_nobody_knows_is_not_read(refusal: int) -> None:
    large = [(b"content-length", str(ANONYMOUS + 1).encode())]
    assert await answer([b"x"], large, refusal) == (refusal, 0)
    piece = b"x" * (ANONYMOUS // 2)
    assert await answer([piece] * 50, [], refusal) == (refusal, 3)


async def test_a_login_needs_no_user() -> None:
    assert await answer([b"x" * ANONYMOUS], [], refusal=401) == (200, 1)


def scope_of(**headers: str) -> dict[str, object]:
    said = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http", "method": "POST", "path": "/api/v1/imports/", "headers": said,
        "client": ("192.0.2.7", 1), "query_string": b"",
    }  # fmt: skip


def test_who_is_a_user_is_what_the_application_itself_would_say(
    owner: User, client: Client
) -> None:
    _token, secret = token_create(user=owner, name="import")
    _reader, reading = token_create(user=owner, name="reader", read_only=True)
    client.force_login(owner)
    cookie = client.cookies["sessionid"].value
    asked = {
        0: [{"authorization": f"Token {secret}"}, {"cookie": f"sessionid={cookie}"}],
        401: [{}, {"authorization": "Token wrong"}, {"cookie": "sessionid=wrong"}],
        403: [{"authorization": f"Token {reading}"}],
    }
    for status, callers in asked.items():
        assert [_refusal(scope_of(**said)) for said in callers] == [status] * len(callers)
    assert AuditEntry.objects.get(verb="present a wrong token").address == "192.0.2.7"
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert [_refusal(scope_of(**said)) for said in asked[0]] == [401, 401]

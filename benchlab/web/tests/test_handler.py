"""The web server under load: who can be taken in is, the others are told at once; what lasts long
holds nothing that others need.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path

from benchlab.web.handler import Handler
from benchlab.web.seats import Lanes, Seats

go = threading.Event()
used: list[str] = []


def slow(request: HttpRequest) -> HttpResponse:
    go.wait(60)
    return HttpResponse("done")


def quick(request: HttpRequest) -> HttpResponse:
    used.append(threading.current_thread().name)
    return HttpResponse("x" * 10)


async def lasting(request: HttpRequest) -> StreamingHttpResponse:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"first"
        while not go.is_set():
            await asyncio.sleep(0.01)
        yield b"last"

    return StreamingHttpResponse(pieces(), content_type="text/event-stream")


urlpatterns = [
    path("slow/", slow),
    path("api/slow/", slow),
    path("quick/", quick),
    path("lasting/", lasting),
    path("healthz", quick),
]
plain = override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[])


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    go.clear()
    used.clear()
    with plain:
        yield
    go.set()


@pytest.fixture
def handler() -> Handler:
    return Handler(Seats(1, waiting=1, patience=60), Lanes(1))


class Asked:
    """One request and what was sent back."""

    def __init__(self, handler: Handler, path: str, body: asyncio.Queue[Any] | None = None) -> None:
        self.sent: list[Any] = []
        self.body = body or asyncio.Queue()
        if body is None:
            self.body.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        scope = {
            "type": "http", "method": "GET", "path": path, "headers": [], "query_string": b"",
        }  # fmt: skip
        self.task = asyncio.create_task(handler(scope, self.body.get, self._send))

    async def _send(self, message: Any) -> None:
        self.sent.append(message)

    async def started(self) -> None:
        async with asyncio.timeout(30):
            while len(self.sent) < 2:
                await asyncio.sleep(0.005)

    async def status(self) -> int:
        async with asyncio.timeout(30):
            await self.task
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}


async def busy(handler: Handler) -> list[Asked]:
    """The only seat is taken, and the only place to wait."""
    both = [Asked(handler, "/slow/"), Asked(handler, "/slow/")]
    await asyncio.sleep(0.05)
    return both


async def test_a_full_server_says_so_at_once(handler: Handler) -> None:
    both = await busy(handler)
    page, call = Asked(handler, "/quick/"), Asked(handler, "/api/slow/")
    assert (await page.status(), await call.status()) == (503, 503)
    assert page.headers["Retry-After"] == call.headers["Retry-After"] == "2"
    assert "no-store" in page.headers["Cache-Control"]
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert b"benchlab is busy" in page.sent[1]["body"]
    assert json.loads(call.sent[1]["body"])["error"]["kind"] == "unavailable"
    go.set()
    assert [await one.status() for one in both] == [200, 200]


async def test_probes_are_answered_while_it_is_full(handler: Handler) -> None:
    both = await busy(handler)
    assert await Asked(handler, "/healthz").status() == 200
    go.set()
    await asyncio.gather(*(one.status() for one in both))


async def test_a_stream_holds_no_seat(handler: Handler) -> None:
    streams = [Asked(handler, "/lasting/") for _ in range(2)]
    for stream in streams:
        await stream.started()
    assert await Asked(handler, "/quick/").status() == 200
    go.set()
    assert [await stream.status() for stream in streams] == [200, 200]
    assert [m["body"] for m in streams[0].sent[1:3]] == [b"first", b"last"]


async def test_who_sends_slowly_holds_no_seat(handler: Handler) -> None:
    body: asyncio.Queue[Any] = asyncio.Queue()
    await body.put({"type": "http.request", "body": b"a", "more_body": True})
    slowly = Asked(handler, "/quick/", body)
    await asyncio.sleep(0.05)
    assert await Asked(handler, "/quick/").status() == 200
    await body.put({"type": "http.request", "body": b"b", "more_body": False})
    assert await slowly.status() == 200


async def test_a_client_that_goes_gives_its_seat_back(handler: Handler) -> None:
    both = await busy(handler)
    await both[0].body.put({"type": "http.disconnect"})
    go.set()
    await asyncio.gather(*(one.task for one in both))
    assert await Asked(handler, "/quick/").status() == 200


async def test_one_thread_serves_all_who_come_one_after_the_other(handler: Handler) -> None:
    """So the database connection that is there is used again."""
    for _ in range(3):
        assert await Asked(handler, "/quick/").status() == 200
    assert len(set(used)) == 1

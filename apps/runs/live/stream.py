"""A running run as server-sent events (WHATWG HTML, "Server-sent events"): the entries of its
Valkey stream, whose ids are the events' ids, so a reader that comes back misses none and gets none
twice.

Nothing here is the truth: the page's parts are, which it asks for when the broker is away.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe
from redis import asyncio as redis
from redis.exceptions import RedisError

from apps.accounts.sessions import still_logged_in
from apps.common.database.connections import fresh_connection
from apps.runs.live.channel import stream_key
from apps.runs.models import FINAL_RUN, Run
from apps.runs.selectors import attempts_open

log = logging.getLogger(__name__)

HEARTBEAT = 10.0
"""Seconds of silence after which a comment keeps proxies from closing the connection."""
LOOK = 3.0
"""Seconds between two looks whether whoever reads may still be logged in."""
SLACK = 5.0
"""Seconds that the broker may take beyond a blocking read, which lasts LOOK at most."""
REPLAY = 600
END = b"event: end\ndata: null\n\n"
_ID = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
Entry = tuple[bytes, dict[bytes, bytes]]
_readers: WeakSet[StreamReader] = WeakSet()


@require_safe
async def run_live(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stream of a run. `?last_id=` or Last-Event-ID goes on after an entry; without one the
    newest entries about the attempts under way come first. 503 while the broker is away, and while
    this process has as many readers as it takes: their pages poll.
    """
    run, attempts = await sync_to_async(_look)(pk)
    if run is None:
        raise Http404(f"run {pk}")
    if len(_readers) >= settings.BENCHLAB_WEB_STREAMS:
        return _later()
    client = redis.from_url(
        settings.REDIS_URL, socket_timeout=LOOK + SLACK, socket_connect_timeout=1
    )
    reader = StreamReader(client, pk, request)
    _readers.add(reader)
    try:
        entries, last = await _first(client, pk, _last_id(request), attempts)
    except (RedisError, OSError) as error:
        await client.aclose()
        log.warning("no live figures, the broker is away: %s", error)
        return _later()
    return StreamingHttpResponse(
        _events(reader, entries, last),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _later() -> HttpResponse:
    return HttpResponse(status=503, headers={"Retry-After": "5"})


def _look(pk: int) -> tuple[str | None, set[str]]:
    """The run's state and its open attempts."""
    with fresh_connection():
        run = Run.objects.only("state").filter(pk=pk).first()
        if run is None:
            return None, set()
        return run.state, {str(key) for key in attempts_open(run).values_list("pk", flat=True)}


def _may_read(request: HttpRequest) -> bool:
    with fresh_connection():
        return still_logged_in(request)


def _last_id(request: HttpRequest) -> str:
    given = request.headers.get("Last-Event-ID") or request.GET.get("last_id", "")
    return given if _ID.fullmatch(given) else ""


async def _first(
    client: Any, pk: int, last: str, attempts: set[str]
) -> tuple[list[Entry], str | bytes]:
    """The entries that are sent at once, and the id after which reading goes on."""
    key = stream_key(pk)
    if last:
        return [], last
    newest: list[Entry] = await client.xrevrange(key, count=REPLAY)
    shown = [entry for entry in reversed(newest) if _is_about(entry, attempts)]
    return shown, newest[0][0] if newest else "0-0"


def _is_about(entry: Entry, attempts: set[str]) -> bool:
    try:
        return json.loads(entry[1][b"data"]).get("attempt") in attempts
    except (KeyError, ValueError, AttributeError):
        return False


@dataclass(eq=False)
class StreamReader:
    """A reader of a run's stream, and since when nobody looked or spoke (monotonic seconds)."""

    client: Any
    run: int
    request: HttpRequest
    looked: float = field(default_factory=time.monotonic)
    spoke: float = 0.0

    async def may_go_on(self) -> bool:
        """Asked every LOOK seconds: a user who is switched off, a session that has ended."""
        if time.monotonic() - self.looked < LOOK:
            return True
        self.looked = time.monotonic()
        return await sync_to_async(_may_read)(self.request)

    async def word(self, entries: list[Entry]) -> bytes:
        """The bytes that are sent between entries: a sign of life, the end, or nothing."""
        if time.monotonic() - self.spoke <= HEARTBEAT and not any(map(_ends, entries)):
            return b""
        self.spoke = time.monotonic()
        state, _attempts = await sync_to_async(_look)(self.run)
        return END if state is None or state in FINAL_RUN else b": still here\n\n"

    async def next_after(self, last: str | bytes) -> list[Entry]:
        wait = int(min(HEARTBEAT, LOOK) * 1000)
        read = await self.client.xread({stream_key(self.run): last}, block=wait)
        return read[0][1] if read else []


async def _events(
    reader: StreamReader, entries: list[Entry], last: str | bytes
) -> AsyncIterator[bytes]:
    """Events until the run has ended, the reader may not read any more, or the broker is gone (the
    browser then asks again)."""
    try:
        yield b"retry: 2000\n\n"
        while await reader.may_go_on():
            for entry in entries:
                yield event(entry)
                last = entry[0]
            if word := await reader.word(entries):
                yield word
            if word == END:
                return
            entries = await reader.next_after(last)
    except (RedisError, OSError) as error:
        log.warning("live figures of run %s stop, the broker is away: %s", reader.run, error)
    finally:
        _readers.discard(reader)
        await reader.client.aclose()


def event(entry: Entry) -> bytes:
    """One entry as an event; its data is one line, which holds no line break."""
    identifier, fields = entry
    kind = fields.get(b"kind", b"state").replace(b"\n", b"")
    data = fields.get(b"data", b"null").replace(b"\n", b" ")
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (identifier, kind, data)


def _ends(entry: Entry) -> bool:
    """Whether an entry says that the whole run changed."""
    return entry[1].get(b"kind") == b"state" and b'"run"' in entry[1].get(b"data", b"")

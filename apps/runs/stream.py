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
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from redis import asyncio as redis
from redis.exceptions import RedisError

from apps.runs.live import stream_key
from apps.runs.models import FINAL_RUN, Run
from apps.runs.selectors import attempts_open

log = logging.getLogger(__name__)

HEARTBEAT = 10.0
"""Seconds of silence after which a comment keeps proxies from closing the connection."""
REPLAY = 600
_ID = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
Entry = tuple[bytes, dict[bytes, bytes]]


async def run_live(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The stream of a run. `?last_id=` or Last-Event-ID goes on after an entry; without one the
    newest entries about the attempts under way come first. 503 while the broker is away.
    """
    run, attempts = await sync_to_async(_look)(pk)
    if run is None:
        raise Http404(f"run {pk}")
    # A stream lasts for hours; reading must not be ended by the client's own time-out.
    client = redis.from_url(settings.REDIS_URL, socket_timeout=None, socket_connect_timeout=2)
    try:
        entries, last = await _first(client, pk, _last_id(request), attempts)
    except (RedisError, OSError) as error:
        await client.aclose()
        log.warning("no live figures, the broker is away: %s", error)
        return HttpResponse(status=503, headers={"Retry-After": "5"})
    return StreamingHttpResponse(
        _events(client, pk, entries, last),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _look(pk: int) -> tuple[str | None, set[str]]:
    """The run's state and its open attempts, without keeping a database connection for hours."""
    try:
        run = Run.objects.only("state").filter(pk=pk).first()
        if run is None:
            return None, set()
        return run.state, {str(key) for key in attempts_open(run).values_list("pk", flat=True)}
    finally:
        for connection in connections.all(initialized_only=True):
            if not connection.in_atomic_block:
                connection.close()


def _last_id(request: HttpRequest) -> str:
    given = request.headers.get("Last-Event-ID") or request.GET.get("last_id", "")
    return given if _ID.fullmatch(given) else ""


async def _first(
    client: Any, pk: int, last: str, attempts: set[str]
) -> tuple[list[Entry], str | bytes]:
    """What is sent at once, and the id after which reading goes on."""
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


async def _events(
    client: Any, pk: int, entries: list[Entry], last: str | bytes
) -> AsyncIterator[bytes]:
    """Events until the run has ended or the broker is gone (the browser then asks again)."""
    try:
        yield b"retry: 2000\n\n"
        looked = 0.0
        while True:
            for entry in entries:
                yield event(entry)
                last = entry[0]
            if time.monotonic() - looked > HEARTBEAT or any(map(_ends, entries)):
                looked = time.monotonic()
                state, _attempts = await sync_to_async(_look)(pk)
                if state is None or state in FINAL_RUN:
                    yield b"event: end\ndata: null\n\n"
                    return
                yield b": still here\n\n"
            read = await client.xread({stream_key(pk): last}, block=int(HEARTBEAT * 1000))
            entries = read[0][1] if read else []
    except (RedisError, OSError) as error:
        log.warning("live figures of run %s stop, the broker is away: %s", pk, error)
    finally:
        await client.aclose()


def event(entry: Entry) -> bytes:
    """One entry as an event; its data is one line of JSON, which holds no line break."""
    identifier, fields = entry
    kind = fields.get(b"kind", b"state").replace(b"\n", b"")
    data = fields.get(b"data", b"null").replace(b"\n", b" ")
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (identifier, kind, data)


def _ends(entry: Entry) -> bool:
    """Whether an entry says that the whole run changed."""
    return entry[1].get(b"kind") == b"state" and b'"run"' in entry[1].get(b"data", b"")

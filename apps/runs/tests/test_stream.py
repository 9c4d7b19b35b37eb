"""The live stream: every entry once, from where the reader was; nothing when the broker is away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import redis
from asgiref.sync import sync_to_async
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import AsyncClient

from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_user
from apps.runs.live import stream
from apps.runs.live.channel import stream_key
from apps.runs.models import Attempt, AttemptState, Run, RunState
from apps.runs.services import run_finish
from apps.runs.tests.factories import create_attempt, create_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    """The thread that answers asynchronous views keeps a connection; the database could not be
    dropped while it is open.
    """
    yield
    await sync_to_async(connections.close_all)()


@pytest.fixture
def broker(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.3)
    client = redis.from_url(settings.REDIS_URL)
    yield client
    client.close()


@pytest.fixture
def user() -> User:
    return create_user(role=Role.DISK_OWNER)


@pytest.fixture
def run(user: User, broker: Any) -> Iterator[Run]:
    run = create_run(owner=user)
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    yield Run.objects.get(pk=run.pk)
    broker.delete(stream_key(run.pk))


@pytest.fixture
def attempt(run: Run) -> Attempt:
    return create_attempt(
        run.cases.get(), state=AttemptState.RUNNING, ended_at=None, cleared_at=None
    )


def publish(broker: Any, run: Run, kind: str, /, **data: Any) -> str:
    identifier: bytes = broker.xadd(stream_key(run.pk), {"kind": kind, "data": json.dumps(data)})
    return identifier.decode()


async def opened(user: User, run: Run, **headers: Any) -> AsyncIterator[bytes]:
    client = AsyncClient()
    await client.aforce_login(user)
    answer: Any = await client.get(f"/runs/{run.pk}/live/", **headers)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["X-Accel-Buffering"] == "no"
    pieces: AsyncIterator[bytes] = aiter(answer.streaming_content)
    return pieces


async def events(pieces: AsyncIterator[bytes], number: int) -> list[dict[str, str]]:
    """The next events; comments and the retry line are passed over."""
    found: list[dict[str, str]] = []
    while len(found) < number:
        piece = (await anext(pieces)).decode()
        assert piece.endswith("\n\n")
        if "event: " in piece:
            lines = piece.strip().split("\n")
            found.append(dict(line.split(": ", 1) for line in lines))
    return found


async def test_what_was_said_comes_first_then_what_is_said(
    run: Run, attempt: Attempt, user: User, broker: Any
) -> None:
    for second in (1, 2):
        publish(broker, run, "sample", attempt=str(attempt.pk), t=second)
    pieces = await opened(user, run)
    assert [json.loads(e["data"])["t"] for e in await events(pieces, 2)] == [1, 2]
    publish(broker, run, "device", attempt=str(attempt.pk), t=3)
    (third,) = await events(pieces, 1)
    assert (third["event"], json.loads(third["data"])["t"]) == ("device", 3)


async def test_entries_of_ended_attempts_are_not_replayed(
    run: Run, attempt: Attempt, user: User, broker: Any
) -> None:
    publish(broker, run, "sample", attempt="an earlier one", t=1)
    mine = publish(broker, run, "sample", attempt=str(attempt.pk), t=2)
    assert [e["id"] for e in await events(await opened(user, run), 1)] == [mine]


async def test_the_replay_is_bounded(
    run: Run, attempt: Attempt, user: User, broker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "REPLAY", 3)
    ids = [publish(broker, run, "sample", attempt=str(attempt.pk), t=t) for t in range(9)]
    assert [e["id"] for e in await events(await opened(user, run), 3)] == ids[-3:]


@pytest.mark.parametrize("how", ["header", "address"])
async def test_a_reader_that_comes_back_misses_none_and_gets_none_twice(
    how: str, run: Run, attempt: Attempt, user: User, broker: Any
) -> None:
    ids = [publish(broker, run, "sample", attempt=str(attempt.pk), t=t) for t in range(5)]
    asked: dict[str, object] = (
        {"headers": {"Last-Event-ID": ids[1]}} if how == "header" else {"data": {"last_id": ids[1]}}
    )
    pieces = await opened(user, run, **asked)
    assert [e["id"] for e in await events(pieces, 3)] == ids[2:]
    newest = publish(broker, run, "state", run="running")
    assert [e["id"] for e in await events(pieces, 1)] == [newest]


@pytest.mark.parametrize("last", ["x", "$", "1-1; DROP", "9" * 40, "1\n2"])
async def test_a_made_up_position_begins_at_the_beginning(
    last: str, run: Run, attempt: Attempt, user: User, broker: Any
) -> None:
    only = publish(broker, run, "sample", attempt=str(attempt.pk), t=1)
    pieces = await opened(user, run, data={"last_id": last})
    assert [e["id"] for e in await events(pieces, 1)] == [only]


async def test_silence_has_a_heartbeat(run: Run, user: User) -> None:
    pieces = await opened(user, run)
    said = [(await anext(pieces)).decode() for _ in range(3)]
    assert said[0] == "retry: 2000\n\n"
    assert said[1:] == [": still here\n\n"] * 2


async def test_the_stream_ends_with_its_run(run: Run, user: User, broker: Any) -> None:
    pieces = await opened(user, run)
    await sync_to_async(run_finish)(run, RunState.SUCCEEDED, "")
    publish(broker, run, "state", run="succeeded")
    rest = "".join([piece.decode() async for piece in pieces])
    assert rest.endswith("event: end\ndata: null\n\n")


async def test_an_end_that_nobody_announced_is_seen_too(run: Run, user: User) -> None:
    pieces = await opened(user, run)
    await sync_to_async(run_finish)(run, RunState.CANCELLED, "")
    assert b"event: end" in b"".join([piece async for piece in pieces])


async def test_without_a_broker_the_page_is_told_to_poll(
    run: Run, user: User, settings: LazySettings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    client = AsyncClient()
    await client.aforce_login(user)
    answer = await client.get(f"/runs/{run.pk}/live/")
    assert answer.status_code == 503
    page = await client.get(f"/runs/{run.pk}/")
    assert page.status_code == 200
    assert (await client.get(f"/runs/{run.pk}/parts/status/")).status_code == 200


async def test_only_people_who_are_logged_in_listen(run: Run, user: User) -> None:
    assert (await AsyncClient().get(f"/runs/{run.pk}/live/")).status_code == 302
    client = AsyncClient()
    await client.aforce_login(user)
    assert (await client.get(f"/runs/{run.pk + 1000}/live/")).status_code == 404


@pytest.mark.parametrize("how", ["switched off", "logged out"])
async def test_a_stream_ends_for_who_may_not_read_any_more(
    run: Run, user: User, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(stream, "LOOK", 0.1)
    pieces = await opened(user, run)
    assert await anext(pieces) == b"retry: 2000\n\n"
    if how == "switched off":
        await User.objects.filter(pk=user.pk).aupdate(is_active=False)
    else:
        await Session.objects.all().adelete()
    left = b"".join([piece async for piece in pieces])
    assert b"event: " not in left


def test_no_text_of_a_tool_can_make_an_event_of_its_own() -> None:
    text = json.dumps({"text": "a\n\nevent: end\ndata: null\n\n"}).encode()
    written = stream.event((b"1-1", {b"kind": b"log", b"data": text}))
    assert written.count(b"\n\n") == 1
    assert written.count(b"\n") == 4


async def test_a_process_keeps_only_so_many_streams(
    run: Run, attempt: Attempt, user: User, broker: Any, settings: LazySettings
) -> None:
    publish(broker, run, "sample", attempt=str(attempt.pk), t=1)
    settings.BENCHLAB_WEB_STREAMS = 1
    client = AsyncClient()
    await client.aforce_login(user)
    pieces: Any = await opened(user, run)
    await events(pieces, 1)
    refused = await client.get(f"/runs/{run.pk}/live/")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    reading = asyncio.create_task(events(pieces, 1))
    await asyncio.sleep(0.2)
    reading.cancel()  # as Django does when the browser is gone
    await asyncio.gather(reading, return_exceptions=True)
    assert not stream._readers

"""Many requests share a session; each gets its own answer, its own refusal, its own end."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from apps.remote import session as session_module
from apps.remote.agent_tests.gate import Gate
from apps.remote.errors import AgentCommandError, HostError
from apps.remote.frames import encode
from apps.remote.session import Session, open_session

from .conftest import LOCAL
from .helpers import job


@pytest_asyncio.fixture
async def session() -> AsyncIterator[Session]:
    opened = await open_session(LOCAL)
    yield opened
    await opened.close()


async def test_hello_says_who_answers(session: Session) -> None:
    assert session.hello.uid == os.geteuid()
    assert abs(session.hello.realtime - time.time()) < 60
    assert session.hello.monotonic > 0


async def test_a_waiting_request_holds_up_nobody(session: Session, gate: Gate) -> None:
    spec = job(*gate.argv)
    await session.call("launch", spec=spec)
    waiting = asyncio.create_task(session.call("wait", timeout=30, attempt=spec["attempt"]))
    answers = await asyncio.gather(*(session.call("ping") for _ in range(20)))
    assert len({answer.data["monotonic"] for answer in answers}) == 20
    assert not waiting.done()
    gate.open()
    assert (await waiting).data["state"] == "done"
    assert session.pending == 0


async def test_a_refusal_belongs_to_its_request(session: Session) -> None:
    with pytest.raises(AgentCommandError) as raised:
        await session.call("no-such-verb")
    assert raised.value.kind == "agent"
    assert "no-such-verb" in raised.value.message
    assert (await session.call("ping")).data["boot_id"] == session.hello.boot_id


async def test_an_answer_that_does_not_come_is_a_timeout(session: Session, gate: Gate) -> None:
    spec = job(*gate.argv)
    await session.call("launch", spec=spec)
    with pytest.raises(HostError) as raised:
        await session.call("wait", timeout=0.2, attempt=spec["attempt"])
    assert raised.value.kind == "timeout"
    assert session.pending == 0
    gate.open()
    assert (await session.call("wait", timeout=30, attempt=spec["attempt"])).data["state"] == "done"


async def test_an_agent_that_dies_fails_what_is_under_way(session: Session, gate: Gate) -> None:
    spec = job(*gate.argv)
    await session.call("launch", spec=spec)
    waiting = asyncio.create_task(session.call("wait", timeout=30, attempt=spec["attempt"]))
    await asyncio.sleep(0.3)  # The request is under way on the host.
    session._channel._process.kill()  # type: ignore[attr-defined]  # only the test may
    with pytest.raises(HostError) as raised:
        await waiting
    assert raised.value.kind == "lost_contact"
    assert session.closed
    with pytest.raises(HostError) as raised:
        await session.call("ping")
    assert raised.value.kind == "lost_contact"


async def test_closing_fails_what_is_under_way(session: Session, gate: Gate) -> None:
    spec = job(*gate.argv)
    await session.call("launch", spec=spec)
    waiting = asyncio.create_task(session.call("wait", timeout=30, attempt=spec["attempt"]))
    await session.call("ping")
    await session.close()
    with pytest.raises(HostError, match="Contact"):
        await waiting


async def test_a_stream_nobody_reads_does_not_fill_the_memory(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "MAX_QUEUED_BYTES", 1 << 20)
    spec = job("head", "-c", "8M", "/dev/zero")
    await session.call("launch", spec=spec)
    await session.call("wait", attempt=spec["attempt"])
    pieces = session.stream("follow", attempt=spec["attempt"], offsets={"stdout": 0})
    first = await anext(pieces)
    assert first.more
    while session.pending:  # until the session has given the stream up
        await asyncio.sleep(0.01)
    with pytest.raises(HostError, match="piles up"):
        [piece async for piece in pieces]
    assert (await session.call("ping")).data["boot_id"]


async def test_frames_of_nobody_are_ignored(session: Session) -> None:
    session._deliver({"id": 999, "ok": True}, b"")
    session._deliver({"id": "1", "ok": True}, b"")
    session._deliver({}, b"")
    assert (await session.call("ping")).data["boot_id"]


async def test_another_agent_is_not_talked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    from apps.remote.build import Agent, agent

    liar = Agent(agent().data, "0" * 64)
    monkeypatch.setattr(session_module, "agent", lambda: liar)
    with pytest.raises(HostError, match="arrived damaged"):
        await open_session(LOCAL)


def stands_in(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Another program in the agent's place; it begins with the marker, as the agent does."""
    import hashlib

    from apps.remote.build import Agent

    text = f"import sys;sys.stdout.buffer.write(sys.argv[2].encode()+b'\\n');{program}".encode()
    made = Agent(text, hashlib.sha256(text).hexdigest())
    monkeypatch.setattr(session_module, "agent", lambda: made)


async def test_an_agent_without_hello_is_not_talked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = encode({"hello": 1, "agent": "x"})
    stands_in(monkeypatch, f"sys.stdout.buffer.write({frame!r})")
    with pytest.raises(HostError, match=r"its hello: .*python"):
        await open_session(LOCAL)


async def test_session_without_hello_is_lost_contact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stands_in(monkeypatch, "pass")
    with pytest.raises(HostError, match="before its hello") as raised:
        await open_session(LOCAL)
    assert raised.value.kind == "lost_contact"


async def test_an_agent_that_fails_before_its_hello_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stands_in(monkeypatch, "sys.exit('no room left')")
    with pytest.raises(HostError, match="no room left") as raised:
        await open_session(LOCAL)
    assert raised.value.kind == "agent"


@pytest.mark.parametrize("turns", range(4))
async def test_a_request_that_is_cancelled_as_its_answer_comes_ends(turns: int) -> None:
    """A lost link fails all requests of a job at once, and the first that sees it cancels the
    others: one that swallowed it went on for ever, beside the job that was long over.
    """
    inbox = session_module._Inbox()
    taking = asyncio.create_task(inbox.take(30))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    inbox.queue.put_nowait(HostError("lost_contact", "gone"))
    for _ in range(turns):
        await asyncio.sleep(0)
    if taking.cancel():
        with pytest.raises(asyncio.CancelledError):
            await taking
    else:
        assert isinstance(taking.exception(), HostError)

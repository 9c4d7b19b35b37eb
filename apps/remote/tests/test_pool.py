"""One session a host: shared, made again after a loss, not hammered after a failure, closed when
idle.
"""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import pytest

from apps.remote import pool as pool_module
from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.errors import ErrorKind, HostError, host_error
from apps.remote.pool import ADMIN_RETRY_SECONDS, IDLE_SECONDS, MAX_RETRY_SECONDS, Sessions
from apps.remote.session import Session

from .conftest import LOCAL


class Refusing:
    """Stands at the door instead of a host, and counts who knocks."""

    def __init__(self, kind: ErrorKind) -> None:
        self.kind, self.knocks = kind, 0

    async def __call__(self, spec: HostSpec) -> Session:
        self.knocks += 1
        raise host_error(self.kind, spec.name, "no")


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Refusing:
    door = Refusing("unreachable")
    monkeypatch.setattr(pool_module, "open_session", door)
    return door


async def fails(sessions: Sessions, spec: HostSpec = LOCAL) -> HostError:
    with pytest.raises(HostError) as raised:
        await sessions.get("h", spec)
    return raised.value


async def test_everybody_shares_one_session(sessions: Sessions) -> None:
    found = await asyncio.gather(*(sessions.get("h", LOCAL) for _ in range(10)))
    assert len({id(session) for session in found}) == 1
    assert await sessions.get("other", LOCAL) is not found[0]


async def test_a_lost_session_is_made_again(sessions: Sessions, local: Client) -> None:
    first = await sessions.get("local", LOCAL)
    first._channel._process.kill()  # type: ignore[attr-defined]  # only the test may
    while not first.closed:
        await asyncio.sleep(0.01)
    assert (await local.ping()).boot_id == first.hello.boot_id
    assert await sessions.get("local", LOCAL) is not first


async def test_a_failure_is_not_repeated_hot(sessions: Sessions, refusing: Refusing) -> None:
    for _ in range(5):
        assert (await fails(sessions)).kind == "unreachable"
    assert refusing.knocks == 1


async def test_the_pause_grows_and_has_a_limit(
    sessions: Sessions, refusing: Refusing, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.monotonic()
    monkeypatch.setattr(pool_module, "time", SimpleNamespace(monotonic=lambda: now))
    pauses = []
    for _ in range(9):
        await fails(sessions)
        place = sessions._slots["h"]
        pauses.append(place.retry_at - now)
        place.retry_at = 0.0
    assert refusing.knocks == 9
    assert 0.75 <= pauses[0] <= 1.0
    assert pauses[0] < pauses[1] < pauses[2]
    assert max(pauses) <= MAX_RETRY_SECONDS


async def test_unreachable_host_is_retried_without_limit(
    sessions: Sessions, refusing: Refusing
) -> None:
    await fails(sessions)
    place = sessions._slots["h"]
    place.failures, place.retry_at = 5000, 0.0
    assert (await fails(sessions)).kind == "unreachable"
    assert place.retry_at - time.monotonic() <= MAX_RETRY_SECONDS


@pytest.mark.parametrize("kind", ["refused_login", "key_changed", "no_sudo"])
async def test_what_a_person_must_repair_waits_longest(
    sessions: Sessions, refusing: Refusing, kind: ErrorKind
) -> None:
    refusing.kind = kind
    assert (await fails(sessions)).kind == kind
    assert sessions._slots["h"].retry_at - time.monotonic() > ADMIN_RETRY_SECONDS / 2


async def test_dropping_ends_the_pause(sessions: Sessions, refusing: Refusing) -> None:
    await fails(sessions)
    sessions.drop("h")
    await fails(sessions)
    assert refusing.knocks == 2


async def test_another_spec_ends_the_pause_and_the_session(
    sessions: Sessions, refusing: Refusing, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fails(sessions)
    monkeypatch.undo()
    await fails(sessions, HostSpec(address="127.0.0.1", port=1))
    assert sessions._slots["h"].spec.port == 1


async def test_dropping_fails_what_is_under_way(sessions: Sessions) -> None:
    session = await sessions.get("h", LOCAL)
    sessions.drop("h")
    assert session.closed
    with pytest.raises(HostError, match="Contact"):
        await session.call("ping")


async def test_idle_sessions_are_closed(sessions: Sessions) -> None:
    idle, busy = await sessions.get("idle", LOCAL), await sessions.get("busy", LOCAL)
    sessions.close_idle()
    assert not idle.closed
    idle.used_at = busy.used_at = time.monotonic() - IDLE_SECONDS - 1
    busy._inboxes[0] = busy._inboxes.get(0) or object()  # type: ignore[assignment]  # a request under way
    sessions.close_idle()
    assert idle.closed
    assert not busy.closed
    busy._inboxes.clear()


async def test_nothing_is_left_after_closing() -> None:
    sessions = Sessions()
    session = await sessions.get("h", LOCAL)
    process = session._channel._process  # type: ignore[attr-defined]  # only the test may
    await sessions.close()
    assert process.returncode is not None
    assert asyncio.all_tasks() == {asyncio.current_task()}

"""Of web processes that listen at one socket those with fewer people go first."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from benchlab.web import loop as own
from benchlab.web.loop import Loop

CAME = 6


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        found.setblocking(False)
        yield found


@pytest.fixture
def people(listening: socket.socket) -> Iterator[list[socket.socket]]:
    """Those who connected before any process looked."""
    with ExitStack() as stack:
        where = listening.getsockname()
        yield [stack.enter_context(socket.create_connection(where)) for _ in range(CAME)]


class Greets(asyncio.Protocol):
    met: list[asyncio.WriteTransport]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.met.append(transport)
        transport.write(b"!")


async def one_more_is_left(
    listening: socket.socket, people: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Takes in all who came; whether another process may then have the next one."""
    Greets.met = []
    server = await asyncio.get_running_loop().create_server(Greets, sock=listening.dup())
    assert [await asyncio.to_thread(one.recv, 1) for one in people] == [b"!"] * CAME
    monkeypatch.setattr(own, "LONGEST", 60.0)
    monkeypatch.setattr(own, "STEP", 60.0)
    with socket.create_connection(listening.getsockname()):
        await asyncio.sleep(0.05)
        try:
            listening.accept()[0].close()
            left = True
        except BlockingIOError:
            left = False
        server.close()
        for transport in Greets.met:
            transport.close()
        await asyncio.sleep(0.01)
    return left


def test_a_process_with_people_lets_others_go_first(
    listening: socket.socket, people: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    with asyncio.Runner(loop_factory=Loop) as runner:
        assert runner.run(one_more_is_left(listening, people, monkeypatch))

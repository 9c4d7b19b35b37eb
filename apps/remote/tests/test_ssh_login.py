"""Logging in: pinned keys, refusals, full hosts, jump hosts; nothing is sent to a host that is not
the enrolled one.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import asyncssh
import pytest
import pytest_asyncio

from apps.remote import login
from apps.remote.connection import HostSpec
from apps.remote.errors import HostError
from apps.remote.keys import generate_key
from apps.remote.session import open_session
from apps.remote.ssh import MAX_CHANNELS, connect, scan_host_key

from .helpers import Server, ssh_server


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with ssh_server() as running:
        yield running


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pauses between tries."""
    monkeypatch.setattr(login, "MAX_RETRY_SECONDS", 0.05)


async def refusal(spec: HostSpec) -> HostError:
    with pytest.raises(HostError) as raised:
        await connect(spec)
    return raised.value


async def test_the_agent_talks_over_ssh(server: Server) -> None:
    session = await open_session(server.spec(become="user"))
    assert (await session.call("ping")).data["boot_id"] == session.hello.boot_id
    await session.close()
    assert len(server.commands) == 1


async def test_a_scanned_key_is_the_one_to_pin(server: Server) -> None:
    found = await scan_host_key(server.spec(host_key=None, private_key=None))
    assert found.line == server.host_key
    assert found.algorithm == "ssh-ed25519"
    assert found.fingerprint == asyncssh.import_public_key(found.line).get_fingerprint()
    assert server.logins == []


async def test_a_changed_key_is_refused_before_the_login(server: Server) -> None:
    _private, other = generate_key()
    error = await refusal(server.spec(host_key=other))
    assert error.kind == "key_changed"
    for line in (other, server.host_key):
        assert asyncssh.import_public_key(line).get_fingerprint() in error.message
    assert server.logins == server.commands == []


async def test_a_key_of_another_algorithm_is_a_changed_key(server: Server) -> None:
    key = asyncssh.generate_private_key("ecdsa-sha2-nistp256")
    error = await refusal(server.spec(host_key=key.export_public_key().decode()))
    assert error.kind == "key_changed"
    assert asyncssh.import_public_key(server.host_key).get_fingerprint() in error.message
    assert server.logins == []


async def test_an_rsa_host_key_can_be_pinned() -> None:
    async with ssh_server("ssh-rsa") as server:
        link = await connect(server.spec())
        await link.close()
        assert server.logins == ["root"]


@pytest.mark.parametrize("line", [None, "", "ssh-ed25519 garbage"])
async def test_without_a_confirmed_key_nothing_is_connected(
    server: Server, line: str | None
) -> None:
    assert (await refusal(server.spec(host_key=line))).kind == "key_unknown"
    assert server.connections == 0


async def test_a_wrong_key_is_a_refused_login(server: Server) -> None:
    private, _public = generate_key()
    error = await refusal(server.spec(private_key=private))
    assert error.kind == "refused_login"
    assert server.connections == 1


async def test_without_a_key_the_machines_own_are_not_tried(server: Server) -> None:
    assert (await refusal(server.spec(private_key=None))).kind == "refused_login"


async def test_unreadable_key_is_reported(server: Server) -> None:
    error = await refusal(server.spec(private_key="-----BEGIN NOTHING-----"))
    assert error.kind == "refused_login"
    assert "BEGIN" not in error.message
    assert server.connections == 0


async def test_missing_ssh_agent_is_reported(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    error = await refusal(server.spec(private_key=None, agent=True))
    assert error.kind == "refused_login"
    assert "ssh-agent" in error.message


async def test_nobody_there_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        _private, public = generate_key()
        error = await refusal(HostSpec(address="127.0.0.1", port=port, host_key=public))
    assert error.kind == "unreachable"
    assert "refused" in error.message


async def test_what_is_no_ssh_server_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    async def speak(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n" * 2000)
        await writer.drain()
        writer.close()

    monkeypatch.setattr(login, "LOGIN_TRIES", 2)
    listener = await asyncio.start_server(speak, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    _private, public = generate_key()
    error = await refusal(HostSpec(address="127.0.0.1", port=port, host_key=public))
    assert error.kind in ("unreachable", "busy")
    listener.close()
    await listener.wait_closed()


async def test_silence_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "LOGIN_SECONDS", 0.3)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        _private, public = generate_key()
        port = silent.getsockname()[1]
        error = await refusal(HostSpec(address="127.0.0.1", port=port, host_key=public))
    assert error.kind == "unreachable"


async def test_dropped_logins_are_tried_again(server: Server) -> None:
    server.drop_first = 3
    link = await connect(server.spec())
    await link.close()
    assert server.connections == 4


async def test_a_host_that_drops_every_login_is_busy(server: Server) -> None:
    server.drop_first = 1000
    error = await refusal(server.spec())
    assert error.kind == "busy"
    assert server.connections == login.LOGIN_TRIES


async def test_few_logins_are_in_flight_at_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = most = 0
    real = asyncssh.connect

    async def counted(*args: Any, **options: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return await real(*args, **options)
        finally:
            running -= 1

    monkeypatch.setattr(asyncssh, "connect", counted)
    links = await asyncio.gather(*(connect(server.spec()) for _ in range(20)))
    assert most == login.LOGINS_IN_FLIGHT
    await asyncio.gather(*(link.close() for link in links))


async def test_a_jump_host_passes_the_connection_on(server: Server) -> None:
    async with ssh_server() as jump:
        spec = server.spec(jump=jump.spec())
        session = await open_session(spec.__class__(**{**vars(spec), "become": "user"}))
        assert (await session.call("ping")).data
        await session.close()
        assert jump.logins == ["root"]
        assert jump.commands == []
        assert (await scan_host_key(spec)).line == server.host_key


async def test_a_channel_more_than_allowed_waits_its_turn(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.remote.ssh.OPEN_SECONDS", 0.3)
    link = await connect(server.spec())
    channels = [await link.open(("cat",)) for _ in range(MAX_CHANNELS)]
    with pytest.raises(HostError) as raised:
        await link.open(("cat",))
    assert raised.value.kind == "busy"
    await channels[0].close()
    await (await link.open(("true",))).close()
    for channel in channels:
        await channel.close()
    await link.close()


async def test_a_port_that_swallows_packets_is_tried_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As behind a link that is down: the kernel's own tries get further and further apart."""
    tries: list[Any] = []

    async def swallow(_made: socket.socket, place: Any) -> None:
        tries.append(place)
        if len(tries) < 4:
            await asyncio.sleep(600)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(login, "CONNECT_SECONDS", 0.05)
    monkeypatch.setattr(type(loop), "sock_connect", lambda _loop, made, place: swallow(made, place))
    made = await login._open_socket("127.0.0.1", 22)
    made.close()
    assert tries == [("127.0.0.1", 22)] * 4

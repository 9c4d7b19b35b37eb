"""A real sshd on a host in a box: what the network, the shell and the host do to a run."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from apps.remote.client import RETRYABLE_ERRORS, Client
from apps.remote.connection import HostSpec
from apps.remote.errors import HostError
from apps.remote.pool import Sessions
from apps.remote.session import open_session
from apps.remote.ssh import connect, scan_host_key
from apps.remote.status import Status
from tests.harness.netns_host import NetnsHost

from .helpers import job

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
MakeBox = Callable[..., NetnsHost]


@pytest_asyncio.fixture
async def host(box: NetnsHost, sessions: Sessions) -> AsyncIterator[Client]:
    yield Client.of(sessions, "box", box.spec())


async def settled(host: Client, attempt: str) -> Status:
    """The attempt's end, waited for across every loss of contact."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await host.wait(attempt)
            except HostError as error:
                if error.kind not in RETRYABLE_ERRORS:
                    raise
                await asyncio.sleep(0.2)


class Into:
    """Takes what is read."""

    def __init__(self, kept: bytearray) -> None:
        self._kept = kept

    def write(self, data: bytes) -> None:
        self._kept += data


async def output(host: Client, status: Status) -> bytes:
    found = status.file("stdout")
    assert found is not None
    kept = bytearray()
    await host.read_file(status.attempt, found, Into(kept))
    return bytes(kept)


async def ticks(host: Client, count: int) -> str:
    """A job that writes a line every half second."""
    script = f"for n in $(seq {count}); do echo tick $n; sleep 0.5; done"
    spec = job("sh", "-c", script)
    await host.launch(spec)
    return str(spec["attempt"])


def tick_lines(count: int) -> bytes:
    return "".join(f"tick {n}\n" for n in range(1, count + 1)).encode()


async def test_a_job_runs_in_the_box(box: NetnsHost, host: Client) -> None:
    spec = job("sh", "-c", "cat /proc/sys/kernel/random/boot_id; hostname")
    await host.launch(spec)
    status = await settled(host, spec["attempt"])
    assert status.exit is not None
    assert status.exit["codes"] == [0]
    assert status.boot_id == box.boot_id
    assert await output(host, status) == f"{box.boot_id}\n{box.network.namespace}\n".encode()
    assert (await host.ping()).boot_id == box.boot_id


async def test_a_pulled_cable_costs_nothing(box: NetnsHost, host: Client) -> None:
    attempt = await ticks(host, 16)
    await asyncio.sleep(1)
    box.link(False)
    await asyncio.sleep(5)
    box.link(True)
    status = await settled(host, attempt)
    assert status.state == "done"
    assert await output(host, status) == tick_lines(16)


@pytest.mark.timeout(120)  # a guard against hanging: TCP alone would wait for many minutes
async def test_a_black_hole_is_noticed_and_survived(box: NetnsHost, host: Client) -> None:
    attempt = await ticks(host, 40)
    waiting = asyncio.create_task(host.wait(attempt))
    await asyncio.sleep(1)
    box.drop_packets(True)
    with pytest.raises(HostError) as raised:
        await waiting
    assert raised.value.kind == "lost_contact"
    box.drop_packets(False)
    status = await settled(host, attempt)
    assert status.state == "done"
    assert await output(host, status) == tick_lines(40)


async def test_a_cut_transfer_is_resumed(box: NetnsHost, host: Client) -> None:
    spec = job("head", "-c", str(5 << 20), "/dev/urandom")
    await host.launch(spec)
    status = await settled(host, spec["attempt"])
    box.network.inside(*SLOW.format(number=box.network.number).split())
    reading = asyncio.create_task(output(host, status))
    await asyncio.sleep(1.5)
    assert not reading.done()
    box.restart_sshd()
    content = await reading
    found = status.file("stdout")
    assert found is not None
    assert len(content) == 5 << 20
    assert hashlib.sha256(content).hexdigest() == found.sha256
    assert (box.folder / "sshd.log").read_text().count("Accepted publickey") >= 2


# 8 Mbit/s from the box to us, so that 5 MiB take five seconds (tc-tbf(8)).
SLOW = "tc qdisc add dev blv{number}b root tbf rate 8mbit burst 32kb latency 400ms"


async def test_a_job_outlives_its_sshd(box: NetnsHost, host: Client) -> None:
    attempt = await ticks(host, 6)
    box.restart_sshd()
    status = await settled(host, attempt)
    assert await output(host, status) == tick_lines(6)


async def test_a_power_cut_is_a_lost_attempt(box: NetnsHost, host: Client) -> None:
    attempt = await ticks(host, 1000)
    before = box.boot_id
    await asyncio.sleep(0.5)
    box.power_cut()
    box.start()
    status = await settled(host, attempt)
    assert status.state == "lost"
    assert status.boot_id == before != box.boot_id


async def test_a_changed_host_key_stops_everything(box: NetnsHost, sessions: Sessions) -> None:
    spec = box.spec()
    await sessions.get("box", spec)
    sessions.drop("box")
    box.swap_host_key()
    box.restart_sshd()
    log = box.folder / "sshd.log"
    seen = log.read_text().count("Accepted")
    with pytest.raises(HostError) as raised:
        await sessions.get("box", spec)
    assert raised.value.kind == "key_changed"
    shown = await scan_host_key(spec)
    assert shown.fingerprint in raised.value.message
    assert log.read_text().count("Accepted") == seen


async def test_a_host_with_few_login_slots_is_waited_for(make_box: MakeBox) -> None:
    spec = make_box(config="MaxStartups 2").spec()
    links = await asyncio.gather(*(connect(spec) for _ in range(12)))
    await asyncio.gather(*(link.close() for link in links))
    assert len(links) == 12


async def test_a_noisy_login_changes_nothing(box: NetnsHost, host: Client) -> None:
    noise = "echo hello; printf 'no end of line'; head -c 20000 /dev/urandom; echo oops >&2\n"
    (box.home / ".bashrc").write_text(noise)
    spec = job("echo", "quiet")
    await host.launch(spec)
    assert await output(host, await settled(host, spec["attempt"])) == b"quiet\n"


@pytest.mark.parametrize("shell", ["/bin/tcsh", "/usr/bin/fish", "/bin/dash"])
async def test_any_login_shell_will_do(make_box: MakeBox, sessions: Sessions, shell: str) -> None:
    if not Path(shell).exists():
        pytest.skip(f"{shell} is not installed")
    box = make_box(shell=shell)
    host = Client.of(sessions, shell, box.spec())
    spec = job("printf", "%s", "$HOME `id` 'a' !b \\c \n end")
    await host.launch(spec)
    content = await output(host, await settled(host, spec["attempt"]))
    assert content == b"$HOME `id` 'a' !b \\c \n end"


async def test_an_ordinary_user_stays_one(make_box: MakeBox) -> None:
    box = make_box()
    with pytest.raises(HostError) as raised:
        await open_session(box.spec(user=box.ordinary, become="root"))
    assert raised.value.kind == "no_sudo"
    assert not box.base.exists()
    box.base.mkdir()
    os.chown(box.base, 4242, 4242)
    session = await open_session(box.spec(user=box.ordinary, become="user"))
    assert session.hello.uid == 4242
    await session.close()


def needs_sudo(box: NetnsHost) -> HostSpec:
    if not Path("/usr/bin/sudo").exists():
        pytest.skip("sudo is not installed")
    return box.spec(user=box.ordinary, become="sudo")


async def test_sudo_makes_root(make_box: MakeBox, sessions: Sessions) -> None:
    spec = needs_sudo(make_box(sudo=True))
    session = await sessions.get("box", spec)
    assert session.hello.uid == 0
    run = job("id", "-u")
    host = Client.of(sessions, "box", spec)
    await host.launch(run)
    assert await output(host, await settled(host, run["attempt"])) == b"0\n"


async def test_sudo_with_password_is_reported(make_box: MakeBox) -> None:
    spec = needs_sudo(make_box(sudo=False))
    with pytest.raises(HostError, match="NOPASSWD") as raised:
        await open_session(spec)
    assert raised.value.kind == "no_sudo"

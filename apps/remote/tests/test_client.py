"""The verbs as typed methods, against the real agent on this machine."""

from __future__ import annotations

import asyncio
import hashlib
import os
import socket
import sys
import time
import uuid
from pathlib import Path

import pytest

from apps.remote import client as client_module
from apps.remote.client import FOLLOW_BYTES, Client
from apps.remote.decode import convert
from apps.remote.errors import AgentCommandError, HostError, InvalidResponse
from apps.remote.job_spec import CommandSpec
from apps.remote.pool import Sessions
from apps.remote.session import Session
from apps.remote.status import FilePiece, HostFile, Status, read_status

from .conftest import LOCAL
from .helpers import job


class ByteSink:
    """Takes what is read."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


async def read(client: Client, attempt: str, name: str, size: int, sha256: str | None) -> bytes:
    kept = ByteSink()
    await client.read_file(attempt, HostFile(name, size, sha256), kept)
    return kept.data


async def run(local: Client, *argv: str) -> Status:
    spec = job(*argv)
    await local.launch(spec)
    return await local.wait(spec["attempt"], timeout=30)


async def test_ping_measures_the_way_and_the_clock(local: Client) -> None:
    before = time.monotonic()
    ping = await local.ping()
    assert 0 < ping.seconds <= time.monotonic() - before
    assert abs(ping.clock_offset) <= ping.seconds
    assert uuid.UUID(ping.boot_id)


async def test_a_job_runs_and_says_how_it_ended(local: Client) -> None:
    status = await run(local, "sh", "-c", "echo out; echo err >&2; exit 3")
    assert status.state == "done"
    assert status.ended
    assert status.exit is not None
    assert status.exit["codes"] == [3]
    began, end = status.exit["started"], status.exit["ended"]
    assert began is not None
    assert end is not None
    assert end["monotonic"] >= began["monotonic"]
    out = status.file("stdout")
    assert out is not None
    assert await read(local, status.attempt, "stdout", out.size, out.sha256) == b"out\n"
    assert status.file("nothing") is None


async def test_a_second_launch_starts_nothing(local: Client, tmp_path: Path) -> None:
    spec = job("sh", "-c", f"echo x >> {tmp_path}/count; sleep 1")
    assert [(await local.launch(spec)).state for _ in range(2)] == ["running", "running"]
    assert (await local.wait(spec["attempt"], timeout=30)).state == "done"
    assert (await local.launch(spec)).state == "done"
    await local.delete_job(spec["attempt"])
    again = await local.launch(spec)
    assert (again.state, again.deleted) == ("absent", True)
    assert (tmp_path / "count").read_text() == "x\n"


async def test_small_files_come_with_the_end(local: Client) -> None:
    spec = job("sh", "-c", "printf 12345; printf bad >&2")
    await local.launch(spec)
    status = await local.wait(spec["attempt"], timeout=30, max_bytes=100_000)
    assert (status.file_contents["stdout"], status.file_contents["stderr"]) == (b"12345", b"bad")
    assert set(status.file_contents) == {file.name for file in status.files}
    assert not (await local.wait(spec["attempt"], max_bytes=7)).file_contents


async def test_a_look_can_renew_the_lease(local: Client, base: Path) -> None:
    spec = job("sleep", "2")
    contact = base / "jobs" / spec["attempt"] / "contact"
    await local.launch(spec)
    first = float(contact.read_text())
    await local.status(spec["attempt"])
    assert float(contact.read_text()) == first
    await local.status(spec["attempt"], renew=True)
    assert float(contact.read_text()) > first


async def test_an_unknown_attempt_is_absent(local: Client) -> None:
    status = await local.status(str(uuid.uuid4()))
    assert status.state == "absent"
    assert not status.ended


async def test_following_gives_every_byte_once_and_then_the_status(local: Client) -> None:
    spec = job("sh", "-c", "for n in 1 2 3; do echo line $n; sleep 0.3; done")
    await local.launch(spec)
    got, last = b"", None
    async for piece in local.follow(spec["attempt"], {"stdout": 0}):
        if isinstance(piece, FilePiece):
            assert (piece.file, piece.offset) == ("stdout", len(got))
            got += piece.data
        last = piece
    assert got == b"line 1\nline 2\nline 3\n"
    assert isinstance(last, Status)
    assert last.state == "done"


async def test_following_goes_on_where_it_stopped(local: Client) -> None:
    status = await run(local, "printf", "0123456789")
    pieces = [piece async for piece in local.follow(status.attempt, {"stdout": 4})]
    assert isinstance(pieces[0], FilePiece)
    assert (pieces[0].offset, pieces[0].data) == (4, b"456789")


async def test_following_brings_as_much_as_is_under_way_at_once(local: Client) -> None:
    status = await run(local, "head", "-c", "2M", "/dev/zero")
    got = 0
    for _ in range(8):
        pieces = [piece async for piece in local.follow(status.attempt, {"stdout": got})]
        got += sum(len(piece.data) for piece in pieces if isinstance(piece, FilePiece))
    assert got == 8 * FOLLOW_BYTES


class Unlucky:
    """Sessions that are cut after a number of calls, again and again."""

    def __init__(self, sessions: Sessions, calls: int) -> None:
        self._sessions, self._calls, self._left, self.cuts = sessions, calls, calls, 0

    async def __call__(self) -> Session:
        if self._left == 0:
            self._sessions.drop("h")
            self.cuts += 1
            self._left = self._calls
            session = await self._sessions.get("h", LOCAL)
            session.closed = True  # Cut between getting and asking.
            return session
        self._left -= 1
        return await self._sessions.get("h", LOCAL)


async def test_a_cut_read_goes_on_where_it_stopped(
    local: Client, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "READ_BYTES", 64 << 10)
    status = await run(local, "head", "-c", "500000", "/dev/urandom")
    out = status.file("stdout")
    assert out is not None
    assert out.size == 500000
    unlucky = Unlucky(sessions, 3)
    content = await read(Client(unlucky), status.attempt, "stdout", out.size, out.sha256)
    assert hashlib.sha256(content).hexdigest() == out.sha256
    assert unlucky.cuts >= 2


async def test_file_with_wrong_hash_is_refused(local: Client) -> None:
    status = await run(local, "echo", "hello")
    with pytest.raises(InvalidResponse, match=r"^this machine .* stdout differs"):
        await read(local, status.attempt, "stdout", 6, "0" * 64)
    with pytest.raises(HostError, match="shorter"):
        await read(local, status.attempt, "stdout", 7, None)
    assert await read(local, status.attempt, "stdout", 0, None) == b""


async def test_other_files_of_the_host_are_not_read(local: Client) -> None:
    status = await run(local, "true")
    for name in ("../../../../etc/passwd", "/etc/passwd", ".."):
        with pytest.raises(AgentCommandError):
            await read(local, status.attempt, name, 10, None)


async def test_cancel_ends_the_tree_and_proves_it(local: Client) -> None:
    spec = job("sh", "-c", "trap '' TERM; sleep 60 & sleep 61 & wait")
    await local.launch(spec)
    await asyncio.sleep(0.3)
    cancelled = await local.cancel(spec["attempt"], grace=0.3)
    assert cancelled.survivors == ()
    assert cancelled.state == "done"
    assert cancelled.exit is not None
    assert cancelled.exit["cancelled"] is True


async def test_held_job_starts_at_its_start_time(local: Client) -> None:
    spec = job("echo", "ran", hold={"seconds": 600})
    await local.launch(spec)
    while (await local.status(spec["attempt"])).phase != "ready":
        await asyncio.sleep(0.02)
    # Its host's clock is ours here, so the offset is what the way takes at most.
    ping = await local.ping()
    assert abs(ping.monotonic_offset) <= ping.seconds
    at = time.monotonic() + ping.monotonic_offset + 0.2
    await local.start_held(spec["attempt"], start_at=at)
    status = await local.wait(spec["attempt"], timeout=30)
    assert status.exit is not None
    began = status.exit["started"]
    assert began is not None
    assert status.exit["held_start"] == {"start_at": at, "started_at": began["monotonic"]}
    assert began["monotonic"] >= at


async def test_a_release_that_is_too_early_is_an_answer(local: Client) -> None:
    spec = job("true", hold={"seconds": 600}, settle=600.0)
    await local.launch(spec)
    with pytest.raises(AgentCommandError, match="not ready yet") as refusal:
        await local.start_held(spec["attempt"], start_at=0.0)
    assert refusal.value.error == "busy"
    await local.cancel(spec["attempt"], grace=0.1)


async def test_cancel_waits_for_always_commands(local: Client) -> None:
    spec = job("sleep", "60")
    cleanup: CommandSpec = {
        "role": "cleanup",
        "argv": ["echo", "gone"],
        "always": True,
        "seconds": 5.0,
    }
    spec["commands"].append(cleanup)
    await local.launch(spec)
    while (await local.status(spec["attempt"])).phase != "running":
        await asyncio.sleep(0.02)
    cancelled = await local.cancel(spec["attempt"], grace=0.5, cleanup_seconds=5.0)
    assert cancelled.survivors == ()
    assert cancelled.exit is not None
    assert cancelled.exit["ran"] == [0, 1]


async def test_a_server_that_listens_is_seen(local: Client) -> None:
    with socket.socket() as asking:
        asking.bind(("", 0))
        port = asking.getsockname()[1]
    server = f"import socket, time\ns = socket.create_server(('', {port}))\ntime.sleep(60)"
    spec = job(sys.executable, "-c", server)
    spec["commands"][0]["listens"] = f"tcp:{port}"
    await local.launch(spec)
    while not (await local.status(spec["attempt"])).listening:
        await asyncio.sleep(0.02)
    cancelled = await local.cancel(spec["attempt"], grace=1.0)
    assert cancelled.listening is False


async def test_a_forgotten_attempt_never_starts_again(local: Client) -> None:
    spec = job("true")
    await local.launch(spec)
    await local.wait(spec["attempt"], timeout=30)
    await local.delete_job(spec["attempt"])
    status = await local.status(spec["attempt"])
    assert (status.state, status.deleted) == ("absent", True)
    assert (await local.launch(spec)).state == "absent"


async def test_recovering_nothing_restores_nothing(local: Client) -> None:
    recovered = await local.restore_settings()
    assert (recovered.restored, recovered.conflicts, recovered.failed) == ([], [], [])


async def test_facts_describe_this_machine(local: Client) -> None:
    facts = await local.facts()
    assert facts["kernel"] == os.uname().release
    assert convert(facts["cpu"], dict[str, object], "cpu")["count"] == os.cpu_count()
    assert isinstance(facts["disks"], list)


async def test_an_unknown_package_is_not_installed(local: Client) -> None:
    with pytest.raises(AgentCommandError):
        [piece async for piece in local.install("no-such-package; reboot")]


async def test_a_disk_that_is_not_there_is_refused(local: Client) -> None:
    try:
        found = await local.inspect("wwn:no-such-disk", write=True)
    except AgentCommandError:
        return
    assert found.refusals


def test_a_state_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown state"):
        read_status("a", {"state": "dancing"})

"""A job's files on their way home: contact that breaks, a disk of ours that is full."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Any, cast

import pytest

from apps.blobs.services import spool as spool_module
from apps.blobs.services.spool import CompressedFile, SpoolFile
from apps.execution.attempt.hosted_job import HostJob
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.runtime.budget import COLLECTING
from apps.remote.client import Client
from apps.remote.errors import HostError, host_error
from apps.remote.status import HostFile, Sink, Status

DATA = bytes(range(256)) * 4096
STATUS = Status(
    "a", "done", files=(HostFile("stdout", len(DATA), hashlib.sha256(DATA).hexdigest()),)
)


class Host:
    """Hands its files over, after these troubles."""

    def __init__(self, *troubles: Exception) -> None:
        self._troubles = list(troubles)

    async def read_files(self, status: Status, sinks: Mapping[str, Sink]) -> None:
        half = len(DATA) // 2
        await asyncio.to_thread(sinks["stdout"].write, DATA[:half])
        if self._troubles:
            raise self._troubles.pop(0)
        await asyncio.to_thread(sinks["stdout"].write, DATA[half:])


class FakeWriter:
    def __init__(self) -> None:
        self.said: list[HostError] = []

    async def mark_unresponsive(self, _job: str, error: HostError) -> None:
        self.said.append(error)

    async def mark_key_restored(self, _job: str) -> None:
        """No host of this test shows another key."""


def collected(host: Host, writer: FakeWriter, spool: SpoolFile) -> dict[str, CompressedFile]:
    job = HostJob("a", cast(Client, host), cast(AttemptWriter, writer))
    return asyncio.run(job.collect(STATUS, spool))


def test_what_a_broken_contact_left_is_given_back_and_all_is_read_again() -> None:
    writer = FakeWriter()
    with SpoolFile() as spool:
        lost = host_error("lost_contact", "h", "gone")
        file = collected(Host(lost, lost), writer, spool)["stdout"]
        assert b"".join(file.decompress()) == DATA
        assert file.sha256 == STATUS.files[0].sha256
        assert file.spans[0][0] == 0
    assert writer.said == [lost, lost]


def test_a_full_disk_here_is_waited_for() -> None:
    writer = FakeWriter()
    with SpoolFile() as spool:
        full: Any = OSError(28, "No space left on device")
        file = collected(Host(full), writer, spool)["stdout"]
        assert b"".join(file.decompress()) == DATA
    assert [error.kind for error in writer.said] == ["busy"]
    assert "No space left" in writer.said[0].message


def test_bytes_that_are_wrong_or_too_many_are_their_hosts_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with SpoolFile() as spool, pytest.raises(HostError, match="did not arrive"):
        collected(Host(host_error("agent", "h", "stdout did not arrive")), FakeWriter(), spool)
    monkeypatch.setattr(spool_module, "MAX_COMPRESSED_BYTES", 1 << 4)
    with (
        SpoolFile() as spool,
        pytest.raises(HostError, match="more than 0 MiB compressed") as raised,
    ):
        collected(Host(), FakeWriter(), spool)
    assert raised.value.kind == "agent"


class Crowd:
    """Hosts that hand their files over side by side; `most` is how many did at once."""

    def __init__(self, size: int) -> None:
        self.status = Status("a", "done", files=(HostFile("stdout", size, None),))
        self.now = self.most = 0

    async def read_files(self, _status: Status, _sinks: Mapping[str, Sink]) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1

    async def collect(self, hosts: int) -> None:
        with SpoolFile() as spool:
            jobs = [
                HostJob("a", cast(Client, self), cast(AttemptWriter, FakeWriter()))
                for _ in range(hosts)
            ]
            await asyncio.gather(*(job.collect(self.status, spool) for job in jobs))


@pytest.mark.parametrize(("size", "at_once"), [(300 << 20, 8), (1 << 20, 20)])
async def test_large_output_of_a_few_hosts_at_a_time(size: int, at_once: int) -> None:
    crowd = Crowd(size)
    await crowd.collect(20)
    assert crowd.most == at_once


async def test_small_output_does_not_wait_for_large_output() -> None:
    async with asyncio.timeout(60), COLLECTING.taken(1 << 40):
        large = asyncio.create_task(Crowd(300 << 20).collect(1))
        await asyncio.sleep(0)
        await Crowd(1 << 20).collect(1)
        assert not large.done()
        large.cancel()
        await asyncio.gather(large, return_exceptions=True)

"""fio's IOPS under benchlab (agent, device sampling, status documents, a stream that is read)
beside the same test typed by hand.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from apps.inventory.schemas.host_facts import KnownFacts, known
from apps.remote.agent.targets.allowed_paths import FOLDER
from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.job_spec import DiskSpec, TargetSpec
from apps.remote.status import Status
from apps.tools.registry import tool
from apps.tools.targets import ToolTarget
from tests.bench import fio_runs
from tests.bench.figure import CannotMeasure, Figure, Options
from tests.bench.jobs import directory, files_of, job_spec, require_success, warm_client
from tests.harness.loops import loop_disk

SIZE_MB, SECONDS, ROUNDS, LIMIT = 64, 4, 12, 0.98
FIO = {"rw": "randread", "bs": 4096, "size": SIZE_MB << 20, "runtime": SECONDS, "iodepth": 32}


@dataclass(frozen=True)
class Test:
    """One test in both ways; `place` is what the bare fio reads."""

    __test__ = False

    client: Client
    argv: list[str]
    target: TargetSpec
    place: str

    async def watched(self) -> bytes:
        """fio's result of a run under benchlab."""
        spec = job_spec(self.argv, self.target, fio_runs.RESULT)
        await self.client.launch(spec)
        files = await files_of(self.client, require_success(await self._follow(spec["attempt"])))
        await self.client.delete_job(spec["attempt"])
        if not files.get("device.log"):
            raise CannotMeasure("the device was not sampled")
        return files[fio_runs.RESULT]

    async def _follow(self, attempt: str) -> Status:
        progress = tool("fio").progress()
        assert progress is not None
        async for piece in self.client.follow(attempt, {fio_runs.RESULT: 0, "device.log": 0}):
            if isinstance(piece, Status):
                return piece
            if piece.file == fio_runs.RESULT:
                progress.feed(piece.data)
        raise CannotMeasure("the host ended the conversation")

    def bare(self) -> bytes:
        return fio_runs.run(fio_runs.bare(self.argv, self.place))


def measure(options: Options) -> Iterator[Figure]:
    ours, plain, where = asyncio.run(_measure(options.scratch))
    beside = f"bare fio {median(plain):,.0f} IOPS, watched {median(ours):,.0f}, on {where}"
    share = median(ours) / median(plain)
    yield Figure("IOPS under benchlab over bare fio", share, LIMIT, beside, unit="", at_least=True)


async def _measure(scratch: Path) -> tuple[list[float], list[float], str]:
    """IOPS of each round in both ways, on a loop disk (root), else in a directory."""
    root = os.geteuid() == 0
    spec = HostSpec(local=True, become="root" if root else "user")
    with own_agent(scratch):
        async with warm_client(spec) as client:
            if root:
                with loop_disk(SIZE_MB, scratch) as node:
                    fill(node)
                    return *await _rounds(await _on_disk(client, node)), "a loop disk"
            place = scratch / "files"
            place.mkdir()
            argv = fio_runs.room_argv(FIO, ToolTarget("directory", str(place)))
            test = Test(client, argv, directory(str(place)), f"{place}/{FOLDER}")
            return *await _rounds(test), "a directory"


async def _on_disk(client: Client, node: str) -> Test:
    disks = known(KnownFacts, await client.facts()).disks or ()
    disk = next((disk for disk in disks if disk.node == node), None)
    if disk is None:
        raise CannotMeasure(f"the agent does not list {node}")
    identity, size = disk.identity or "", disk.size
    argv = fio_runs.room_argv(FIO, ToolTarget("disk", identity, size or 0))
    target: DiskSpec = {"kind": "disk", "identity": identity, "size": size, "write": False}
    return Test(client, argv, target, node)


async def _rounds(test: Test) -> tuple[list[float], list[float]]:
    check_same_test(await test.watched(), test.bare())
    ours, plain = [], []
    for number in range(ROUNDS):
        if number % 2:
            plain.append(iops(test.bare()))
        ours.append(iops(await test.watched()))
        if not number % 2:
            plain.append(iops(test.bare()))
    return ours, plain


@contextmanager
def own_agent(scratch: Path) -> Iterator[None]:
    """The agent on this machine has a base folder of its own."""
    os.environ["BENCHLAB_AGENT_DIR"] = str(scratch / "base")
    try:
        yield
    finally:
        del os.environ["BENCHLAB_AGENT_DIR"]


def check_same_test(watched: bytes, plain: bytes) -> None:
    """Raise CannotMeasure unless fio read the same options both times."""
    ours, theirs = fio_runs.job_options(watched), fio_runs.job_options(plain)
    for job in (*ours, *theirs):
        job.pop("filename", None)  # the agent may use another name of the same disk
    if ours != theirs:
        raise CannotMeasure(f"fio ran two different tests: {ours} and {theirs}")


def iops(data: bytes) -> float:
    """Reads a second of the whole run, from fio's own result."""
    (measurement,) = fio_runs.parsed(data).measurements
    if not measurement.iops:
        raise CannotMeasure("fio read nothing")
    return measurement.iops


def fill(node: str) -> None:
    """Real bytes: reading a hole of a sparse file costs less."""
    with open(node, "r+b") as disk:
        for _ in range(SIZE_MB):
            disk.write(os.urandom(1 << 20))
        os.fsync(disk)

"""Whether a disk is as fast under benchlab's eyes as without them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from apps.inventory.contract import KnownFacts, known
from apps.remote.agent.targets.places import FOLDER
from apps.remote.client import Client
from apps.remote.connection import HostSpec
from apps.remote.job_spec import DiskSpec, TargetSpec
from apps.remote.outcomes import FilePiece, Status
from apps.tools.base import ToolTarget
from apps.tools.registry import tool
from benchlab.bench import fio_runs
from benchlab.bench.figures import Aim, figures
from benchlab.bench.jobs import directory, files_of, job_spec, require_success, warm_client
from benchlab.bench.rounds import interleave
from benchlab.bench.row import BenchRow, CannotMeasure, Measured, NotEqual
from benchlab.bench.usage import AgentUsage
from tests.harness.loops import loop_disk

SIZE_MB = 64
SECONDS = 4
FIO = {"rw": "randread", "bs": 4096, "size": SIZE_MB << 20, "runtime": SECONDS, "iodepth": 32}
CPU_AIM = 0.01


@dataclass
class Watched:
    """fio under benchlab: agent, device sampling, status documents, and a stream being read."""

    client: Client
    argv: list[str]
    target: TargetSpec
    base: Path
    shares: list[tuple[float, float]] = field(default_factory=list)

    async def result(self) -> bytes:
        """One run to its result file; notes the supervisor's and all agents' share of a CPU."""
        spec = job_spec(self.argv, self.target, fio_runs.RESULT)
        usage, began = AgentUsage(self.base), time.monotonic()
        usage.look()
        await self.client.launch(spec)
        status = await self._follow(spec["attempt"], usage)
        seconds = time.monotonic() - began
        self.shares.append((usage.supervisor / seconds, usage.total / seconds))
        files = await files_of(self.client, require_success(status))
        await self.client.forget(spec["attempt"])
        if not files.get("device.log"):
            raise NotEqual("the device was not sampled, so this is not what benchlab does.")
        return files[fio_runs.RESULT]

    async def _follow(self, attempt: str, usage: AgentUsage) -> Status:
        progress = tool("fio").progress()
        assert progress is not None
        offsets = {fio_runs.RESULT: 0, "device.log": 0}
        async for piece in self.client.follow(attempt, offsets):
            usage.look()
            if isinstance(piece, Status):
                return piece
            feed(progress, piece)
        raise NotEqual("the host ended the conversation without saying why.")


def feed(progress: Any, piece: FilePiece) -> None:
    """Feeds the live figures' reader with status documents, as the worker does."""
    if piece.file == fio_runs.RESULT:
        progress.feed(piece.data)


@contextmanager
def own_agent(scratch: Path) -> Iterator[Path]:
    """The base folder of an agent on this machine that only this row uses."""
    base, before = scratch / "base", os.environ.get("BENCHLAB_AGENT_BASE")
    os.environ["BENCHLAB_AGENT_BASE"] = str(base)
    try:
        yield base
    finally:
        if before is None:
            del os.environ["BENCHLAB_AGENT_BASE"]
        else:
            os.environ["BENCHLAB_AGENT_BASE"] = before


async def measure(scratch: Path, rounds: int) -> Measured:
    """Rounds on a loop disk made for it (root), else in a directory."""
    root = os.geteuid() == 0
    spec = HostSpec(local=True, become="root" if root else "user")
    with own_agent(scratch) as base:
        async with warm_client(spec) as client:
            if not root:
                place = scratch / "files"
                place.mkdir()
                argv = fio_runs.room_argv(FIO, ToolTarget("directory", str(place)))
                watched = Watched(client, argv, directory(str(place)), base)
                return await _rounds(watched, f"{place}/{FOLDER}", rounds, "a directory")
            with loop_disk(SIZE_MB, scratch) as node:
                fill(node)
                watched = await _watched_disk(client, node, base)
                return await _rounds(watched, node, rounds, "a loop disk")


async def _watched_disk(client: Client, node: str, base: Path) -> Watched:
    disks = known(KnownFacts, await client.facts()).disks or ()
    disk = next((disk for disk in disks if disk.node == node), None)
    if disk is None:
        raise CannotMeasure(f"the agent does not list {node}.")
    identity, size = disk.identity or "", disk.size
    argv = fio_runs.room_argv(FIO, ToolTarget("disk", identity, size or 0))
    target: DiskSpec = {"kind": "disk", "identity": identity, "size": size, "write": False}
    return Watched(client, argv, target, base)


async def _rounds(watched: Watched, place: str, rounds: int, where: str) -> Measured:
    plain = fio_runs.bare(watched.argv, place)
    check_same_test(await watched.result(), fio_runs.run(plain))
    watched.shares.clear()

    async def under_benchlab() -> float:
        return iops(await watched.result())

    async def alone() -> float:
        return iops(fio_runs.run(plain))

    raw = await interleave({"bare": alone, "watched": under_benchlab}, rounds)
    ours, peer = raw.values["watched"], raw.values["bare"]
    facts = {"argv": watched.argv, "bare": plain, "cpu_shares": watched.shares}
    notes = (f"On {where}, {SECONDS} s a run.", cpu_note(watched.shares))
    return Measured(figures(ours, peer), raw, "op/s", notes, facts)


def cpu_note(shares: list[tuple[float, float]]) -> str:
    """The agent's share of one CPU, in words, with its aim."""
    supervisor, everything = median(s for s, _ in shares), median(t for _, t in shares)
    return (
        f"Agent's CPU: supervisor {supervisor:.2%} of one CPU (aim <= {CPU_AIM:.0%}, "
        f"{'reached' if supervisor <= CPU_AIM else 'missed'}), "
        f"with session and live stream {everything:.2%}."
    )


def check_same_test(watched: bytes, plain: bytes) -> None:
    """Raise NotEqual unless fio understood the same test both times and it did something."""
    ours, theirs = fio_runs.job_options(watched), fio_runs.job_options(plain)
    for job in (*ours, *theirs):
        job.pop("filename", None)  # "{target}" was resolved by the agent: perhaps a by-id name
    if ours != theirs:
        raise NotEqual(f"fio ran two different tests: {ours} and {theirs}")
    for result in (watched, plain):
        iops(result)


def iops(data: bytes) -> float:
    """Reads per second of the whole run, from fio's own result."""
    (measurement,) = fio_runs.parsed(data).measurements
    if not measurement.iops:
        raise NotEqual("fio read nothing.")
    return measurement.iops


def fill(node: str) -> None:
    """Real bytes under the disk: reading a hole of a sparse file costs less than reading data."""
    with open(node, "r+b") as disk:
        for _ in range(SIZE_MB):
            disk.write(os.urandom(1 << 20))
        os.fsync(disk)


ROW = BenchRow(
    "observer", "fio's IOPS under benchlab over bare fio", Aim(0.98, upper=False), 16, measure
)

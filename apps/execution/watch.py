"""Watching a running attempt: its files as they grow become live figures for the page."""

from __future__ import annotations

import time

from apps.execution.live import Live
from apps.remote.answers import Piece
from apps.runs.models import Attempt
from apps.tools import blockstat, ceph_health
from apps.tools.registry import tool

DEVICE_LOG = "device.log"


class Watcher:
    """Turns pieces of a job's files into live entries. `offsets` says how far each file was read;
    `host` is named in the entries where several hosts take part.
    """

    def __init__(self, live: Live, run_id: int, attempt: Attempt, host: str = "") -> None:
        room = tool(attempt.case.tool)
        self.offsets = {DEVICE_LOG: 0, "stderr": 0}
        if room.live_file:
            self.offsets[room.live_file] = 0
        if any(spec.get("ceph") for spec in (attempt.spec, *(j["spec"] for j in attempt.jobs))):
            self.offsets[ceph_health.LOG] = 0
        self._live_file = room.live_file
        self._progress = room.progress()
        self._live, self._run_id, self._attempt, self._host = live, run_id, attempt, host
        self._device = self._health = b""
        self._said: list[str] = []
        self._last: dict[str, blockstat.Sample] = {}
        self.heard = time.monotonic()

    async def feed(self, piece: Piece) -> None:
        """Take one piece; each file's pieces come in order, and after a reconnect from `offsets`
        on.
        """
        self.offsets[piece.file] = piece.offset + len(piece.data)
        self.heard = time.monotonic()
        if piece.file == self._live_file and self._progress is not None:
            await self._samples(piece.data)
        elif piece.file == DEVICE_LOG:
            await self._device_samples(piece.data)
        elif piece.file == ceph_health.LOG:
            self._heard_of_cluster(piece.data)
        elif piece.file == "stderr" and not self._host:
            # Another worker reads the file from its beginning again: the page goes by the places.
            text = piece.data.decode("utf-8", "replace")
            end = piece.offset + len(piece.data)
            await self.publish("log", {"offset": piece.offset, "end": end, "text": text})

    def said(self) -> list[str]:
        """What the run's diary should know, each sentence once."""
        said, self._said = self._said, []
        return said

    def _heard_of_cluster(self, data: bytes) -> None:
        whole, newline, self._health = (self._health + data).rpartition(b"\n")
        for health in ceph_health.read_log(whole + newline):
            if not health.is_good:
                self._said.append(f"Ceph says: {health.sentence()}")

    async def publish(self, kind: str, data: dict[str, object]) -> None:
        """One live entry about this attempt."""
        about = {"attempt": str(self._attempt.pk), "case": self._attempt.case_id}
        await self._live.publish(self._run_id, kind, about | data)

    async def _samples(self, data: bytes) -> None:
        assert self._progress is not None
        for sample in self._progress.feed(data):
            operations = {
                self._named(name): dict(figures) for name, figures in sample.operations.items()
            }
            await self.publish("sample", {"t": sample.seconds, "operations": operations})

    async def _device_samples(self, data: bytes) -> None:
        whole, newline, self._device = (self._device + data).rpartition(b"\n")
        for name, samples in blockstat.read_log(whole + newline).items():
            for sample in samples:
                before, self._last[name] = self._last.get(name), sample
                if before is not None and sample.seconds - before.seconds > 0.2:
                    figures = blockstat.figures(before, sample)
                    entry: dict[str, object] = {
                        "t": sample.seconds,
                        "name": self._named(name),
                        **figures,
                    }
                    await self.publish("device", entry)

    def _named(self, name: str) -> str:
        return f"{self._host} {name}" if self._host else name

"""Live metrics of a running attempt, from its growing files.

No result depends on them. Buffers are bounded per attempt and per worker; larger files are no
longer followed.
"""

from __future__ import annotations

import time

from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.runtime.budget import WATCHING
from apps.remote.status import FilePiece
from apps.runs.models import Attempt
from apps.tools.devices import blockstat, ceph_health
from apps.tools.messages import message
from apps.tools.registry import tool

DEVICE_LOG, STDERR = "device.log", "stderr"
# Maximum bytes of stderr shown live, of a buffered document, and of a line of the agent's logs;
# maximum disks of one host.
SHOWN, DOCUMENT, LINE, DISKS = 64 << 10, 8 << 20, 64 << 10, 1000
ENOUGH = message(
    "the first %(most)d KiB of its stderr are shown live; all of it is stored", most=SHOWN >> 10
)
NO_FIGURES = message("no live figures any more: its output is large and does not look like any")


class LiveMetricsReader:
    """Converts pieces of a job's files to live entries.

    `offsets`: bytes read of each file. `host`: named in the entries if there are several hosts.
    """

    def __init__(self, live: LivePublisher, run_id: int, attempt: Attempt, host: str = "") -> None:
        plugin = tool(attempt.case.tool)
        self.offsets = {DEVICE_LOG: 0} | ({} if host else {STDERR: 0})
        if plugin.live_file:
            self.offsets[plugin.live_file] = 0
        if any(job.spec.get("ceph") for job in attempt.jobs.all()):
            self.offsets[ceph_health.LOG] = 0
        self._live_file = plugin.live_file
        self._progress = plugin.progress()
        self._live, self._run_id, self._attempt, self._host = live, run_id, attempt, host
        self._device = self._health = b""
        self._held = 0  # buffered bytes of the live file
        self._remarks: list[str] = []
        self._last: dict[str, blockstat.Sample] = {}
        self.heard = time.monotonic()

    async def feed(self, piece: FilePiece) -> None:
        """Process one piece. Pieces of a file arrive in order, after a reconnect from `offsets`.

        Files without an offset are ignored.
        """
        if piece.file not in self.offsets:
            return
        self.offsets[piece.file] = piece.offset + len(piece.data)
        self.heard = time.monotonic()
        if piece.file == self._live_file and self._progress is not None:
            await self._samples(piece.data)
        elif piece.file == DEVICE_LOG:
            await self._device_samples(piece.data)
        elif piece.file == ceph_health.LOG:
            self._cluster_health(piece.data)
        elif piece.file == STDERR:
            await self._words(piece)

    def close(self) -> None:
        """Release the buffers."""
        WATCHING.give_back(self._held)
        self._held, self._progress = 0, None

    async def _words(self, piece: FilePiece) -> None:
        """Publish the beginning of stderr."""
        data = piece.data[: max(0, SHOWN - piece.offset)]
        if len(data) < len(piece.data):
            self._leave(STDERR, ENOUGH)
        if data:
            # Another worker reads the file from its beginning again; the page uses the offsets.
            byte_range = {"offset": piece.offset, "end": piece.offset + len(data)}
            await self.publish("log", {**byte_range, "text": data.decode("utf-8", "replace")})

    def _leave(self, file: str, reason: str) -> None:
        """Stop following a file, and add a remark."""
        del self.offsets[file]
        self._remarks.append(reason)

    def remarks(self) -> list[str]:
        """Return new remarks for the event log, each once."""
        remarks, self._remarks = self._remarks, []
        return remarks

    def _cluster_health(self, data: bytes) -> None:
        whole, newline, self._health = _lines(self._health + data)
        for health in ceph_health.read_log(whole + newline):
            if not health.is_good:
                self._remarks.append(f"Ceph says: {health.sentence()}")

    async def publish(self, kind: str, data: dict[str, object]) -> None:
        """Publish one live entry of this attempt."""
        about = {"attempt": str(self._attempt.pk), "case": self._attempt.case_id}
        await self._live.publish(self._run_id, kind, about | data)

    async def _samples(self, data: bytes) -> None:
        assert self._progress is not None
        if self._held + len(data) > DOCUMENT or not WATCHING.take(len(data)):
            assert self._live_file is not None
            self._leave(self._live_file, NO_FIGURES)
            self.close()
            return
        before, samples = self._held + len(data), self._progress.feed(data)
        self._held = self._progress.held
        WATCHING.give_back(before - self._held)
        for sample in samples:
            operations = {
                self._named(name): dict(figures) for name, figures in sample.operations.items()
            }
            await self.publish("sample", {"t": sample.seconds, "operations": operations})

    async def _device_samples(self, data: bytes) -> None:
        whole, newline, self._device = _lines(self._device + data)
        for name, samples in blockstat.read_log(whole + newline).items():
            if name not in self._last and len(self._last) >= DISKS:
                continue
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


def _lines(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Return whole lines, their last newline, and the incomplete line unless it is too long."""
    whole, newline, rest = data.rpartition(b"\n")
    return whole, newline, rest if len(rest) <= LINE else b""

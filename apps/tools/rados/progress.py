"""Live samples from the seconds of rados bench's tables."""

from __future__ import annotations

from itertools import pairwise

from apps.tools.progress import LiveSample

from .parser.run import MIB, RadosRun, SecondRow
from .parser.table import BEGIN, latency_between
from .parser.text import MAX_LINE, Reader


class RadosProgress:
    """Incremental parser of rados's output. Consecutive operations share one time axis."""

    def __init__(self) -> None:
        self._pending = b""
        self._reader = Reader()
        self._run: RadosRun = self._reader.runs[-1]
        self._reported = 0
        self._offset_seconds = 0.0

    @property
    def held(self) -> int:
        """Return the bytes of an incomplete line."""
        return len(self._pending)

    def feed(self, data: bytes) -> list[LiveSample]:
        """Return the samples that these bytes complete."""
        *lines, rest = (self._pending + data).split(b"\n")
        # Lines of a table are short; a longer line is dropped.
        self._pending = rest if len(rest) <= MAX_LINE else b""
        samples: list[LiveSample] = []
        for line in lines:
            self._reader.line(line.decode("utf-8", "replace"))
            samples += self._new()
        return samples

    def _new(self) -> list[LiveSample]:
        run = self._reader.runs[-1]
        if run is not self._run:
            self._offset_seconds += self._run.rows[-1].second if self._run.rows else 0.0
            self._run, self._reported = run, 0
        rows = [BEGIN, *run.rows][max(0, self._reported) :]
        self._reported = len(run.rows)
        return [self._sample(before, row) for before, row in pairwise(rows) if row.second > 0]

    def _sample(self, before: SecondRow, row: SecondRow) -> LiveSample:
        gap = row.second - before.second
        figures = {"iops": max(0, row.finished - before.finished) / gap}
        if row.current is not None:
            figures["bandwidth"] = row.current * MIB
        latency = latency_between(before, row)
        if latency is not None:
            figures["latency"] = latency
        operation = self._run.operation or "read"
        return LiveSample(self._offset_seconds + row.second, {operation: figures})

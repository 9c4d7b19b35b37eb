"""Live samples from the rows of rbd bench's table."""

from __future__ import annotations

from apps.tools.progress import LiveSample
from apps.tools.text import count

from .parser.reader import Reader
from .parser.run import MAX_LINE


class RbdProgress:
    """Incremental parser of rbd's output.

    Filling the image gives no samples; a mix gives the operations of both directions.
    """

    def __init__(self) -> None:
        self._pending = b""
        self._reader = Reader()
        self._reported = (0, 0)

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
            runs = len(self._reader.runs)
            self._reader.line(line.decode("utf-8", "replace"))
            self._reported = self._reported if len(self._reader.runs) == runs else (0, 0)
            samples += self._new()
        return samples

    def _new(self) -> list[LiveSample]:
        run = self._reader.runs[-1]
        if run.preparing or not run.rows or run.rows[-1] == self._reported:
            return []
        (before, done), (second, finished) = self._reported, run.rows[-1]
        self._reported = run.rows[-1]
        rate = (finished - done) / (second - before)
        figures = {"iops": rate}
        if size := count(run.params.get("bs")):
            figures["bandwidth"] = rate * size
        operation = "read" if run.params.get("mode") == "read" else "write"
        return [LiveSample(float(second), {operation: figures})]

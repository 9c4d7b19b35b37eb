"""Live figures: the rows of rbd bench's table, as they are printed."""

from __future__ import annotations

from apps.tools.progress import LiveSample
from apps.tools.text import count

from .parser.reader import Reader
from .parser.run import MAX_LINE


class RbdProgress:
    """Fed what rbd prints, in pieces cut anywhere. Filling the image is not shown; of a mix the
    operations of both directions are.
    """

    def __init__(self) -> None:
        self._pending = b""
        self._reader = Reader()
        self._told = (0, 0)

    @property
    def held(self) -> int:
        """Bytes of a line whose end is still to come."""
        return len(self._pending)

    def feed(self, data: bytes) -> list[LiveSample]:
        """The samples completed by these bytes."""
        *lines, rest = (self._pending + data).split(b"\n")
        # A line of a table is short; what is longer is none, and is not kept.
        self._pending = rest if len(rest) <= MAX_LINE else b""
        samples: list[LiveSample] = []
        for line in lines:
            runs = len(self._reader.runs)
            self._reader.line(line.decode("utf-8", "replace"))
            self._told = self._told if len(self._reader.runs) == runs else (0, 0)
            samples += self._new()
        return samples

    def _new(self) -> list[LiveSample]:
        run = self._reader.runs[-1]
        if run.preparing or not run.rows or run.rows[-1] == self._told:
            return []
        (before, done), (second, finished) = self._told, run.rows[-1]
        self._told = run.rows[-1]
        rate = (finished - done) / (second - before)
        figures = {"iops": rate}
        if size := count(run.params.get("bs")):
            figures["bandwidth"] = rate * size
        operation = "read" if run.params.get("mode") == "read" else "write"
        return [LiveSample(float(second), {operation: figures})]

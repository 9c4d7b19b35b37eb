"""Live figures from the differences of fio's status documents."""

from __future__ import annotations

from apps.tools.progress import LiveSample
from apps.tools.values import Decoded

from .parser.direction import SYNC
from .parser.documents.intervals import Interval, Track, snapshot
from .parser.documents.late_bins import load_document
from .parser.documents.repair import jobs_of, load
from .parser.documents.runs import by_operation, clock_of, is_fio

# The final result follows the last status document within milliseconds: ignore that interval.
MIN_INTERVAL_SECONDS = 0.1
MAX_DOCUMENT = 16 * 1024**2
_END = b"\n}"


class FioProgress:
    """Incremental parser of the result file while it grows, fed in arbitrary chunks.

    Buffers at most one unfinished document.
    """

    def __init__(self) -> None:
        self._pending = bytearray()
        self._searched = 0
        self._tracks: dict[str, Track] = {}
        self._first_clock: float | None = None
        self._elapsed = 0.0

    @property
    def held(self) -> int:
        """Return the bytes of the unfinished document."""
        return len(self._pending)

    def feed(self, data: bytes) -> list[LiveSample]:
        """Return the samples completed by these bytes."""
        self._pending += data
        samples: list[LiveSample] = []
        while (end := self._pending.find(_END, self._searched)) >= 0:
            document = self._take(end + len(_END))
            if document is not None and (sample := self._sample(document)):
                samples.append(sample)
        # The end mark may be split between chunks; everything before it was searched.
        self._searched = max(0, len(self._pending) - len(_END) + 1)
        if len(self._pending) > MAX_DOCUMENT:
            self._pending.clear()
            self._searched = 0
        return samples

    def _take(self, end: int) -> Decoded | None:
        text = bytes(self._pending[:end])
        del self._pending[:end]
        self._searched = 0
        begin = 0 if text.startswith(b"{") else text.rfind(b"\n{") + 1
        document = load_document(text[begin:])
        document = load(text[begin:]) if document is None else document
        return document if document is not None and is_fio(document) else None

    def _sample(self, document: Decoded) -> LiveSample | None:
        clock = clock_of(document)
        operations: dict[str, dict[str, float]] = {}
        longest = 0.0
        for (group, operation), parts in by_operation(jobs_of(document)).items():
            track = self._tracks.setdefault(f"{group}{operation}", Track())
            interval = track.add(snapshot(parts, clock))
            track.intervals.clear()
            longest = max(longest, interval.seconds)
            if interval.seconds > 0:
                operations[operation] = _add(operations.get(operation), interval)
        if SYNC in operations:
            del operations[SYNC]["bandwidth"]  # syncs move no bytes
        self._elapsed += longest
        if longest < MIN_INTERVAL_SECONDS:
            return None
        return LiveSample(self._seconds(clock, longest), operations) if operations else None

    def _seconds(self, clock: float | None, interval: float) -> float:
        """Return the interval's end in seconds after the tool's start.

        The first document ends the first interval.
        """
        if clock is None:
            return self._elapsed
        if self._first_clock is None:
            self._first_clock = clock - interval
        return clock - self._first_clock


def _add(total: dict[str, float] | None, interval: Interval) -> dict[str, float]:
    """Add the figures of concurrent groups, with mean latency weighted by operations."""
    new = {
        "bandwidth": interval.figures.get("bandwidth", 0.0),
        "iops": interval.figures.get("iops", 0.0),
        "latency": interval.figures.get("latency_mean", 0.0),
    }
    if total is None:
        return new
    iops = total["iops"] + new["iops"]
    weighted = total["latency"] * total["iops"] + new["latency"] * new["iops"]
    return {
        "bandwidth": total["bandwidth"] + new["bandwidth"],
        "iops": iops,
        "latency": weighted / iops if iops else 0.0,
    }

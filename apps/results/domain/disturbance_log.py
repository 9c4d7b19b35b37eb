"""Read disturbance.log of the agent, and split its time into phases.

Phases go by degraded and misplaced objects and by the marks of the agent, not by the recovery
rate: that is a moving average, which lasts seconds beyond the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from apps.common.schemas.storable import cleaned
from apps.plans.schemas.disturbance import DEEP_SCRUB, MD_FAIL, OSD_OUT, OSD_STOP, STOPPING

LOG = "disturbance.log"
MAX_LINES = 200_000
MAX_NUMBER = 1e18
MOVING = ("recovering", "backfilling")
DISTURBED, RESTORED, CLEAN, RETURNED = "disturbed", "restored", "clean", "returned"
DONE, ABORTED = "done", "aborted"
MARKS = (DISTURBED, RESTORED, CLEAN, RETURNED, DONE, ABORTED)
NEEDED: dict[str, tuple[str, ...]] = {
    OSD_OUT: (DISTURBED, CLEAN, RESTORED, RETURNED, DONE),
    OSD_STOP: (DISTURBED, RESTORED, CLEAN, DONE),
    DEEP_SCRUB: (DISTURBED, CLEAN, DONE),
    MD_FAIL: (DISTURBED, RESTORED, CLEAN, DONE),
}


@dataclass(frozen=True)
class ClusterSecond:
    """One sample; `moved`: bytes recovered since the pools exist."""

    t: float
    degraded: int = 0
    misplaced: int = 0
    recovery: int = 0
    moved: int = 0
    is_moving: bool = False
    checks: tuple[str, ...] = ()


@dataclass(frozen=True)
class DisturbanceLog:
    """Samples in order, and the second of each mark.

    `is_readded`: the bitmap of an array named what to copy, so that there was no rebuild.
    """

    samples: tuple[ClusterSecond, ...] = ()
    marks: dict[str, float] = field(default_factory=dict)
    reason: str = ""
    is_unseen: bool = False
    is_readded: bool = False

    def is_complete(self, kind: str) -> bool:
        """Return True if the whole timeline was carried out."""
        return all(mark in self.marks for mark in NEEDED.get(kind, (DONE,)))


@dataclass(frozen=True)
class Phase:
    """A part of the time axis."""

    name: str
    start: float
    end: float


def read_log(data: bytes) -> DisturbanceLog:
    """Return the log; a line that is cut or is no object is left out."""
    samples: list[ClusterSecond] = []
    marks: dict[str, float] = {}
    reason, is_unseen, is_readded = "", False, False
    for row in _rows(data):
        mark, t = row.get("mark"), _number(row, "t")
        if mark in MARKS:
            marks.setdefault(str(mark), float(t))
            reason = reason or cleaned(str(row.get("reason") or "")[:300])
            is_unseen |= row.get("unseen") is True
            is_readded |= row.get("re_added") is True
        elif isinstance(row.get("states"), dict):
            samples.append(_sample(row, float(t)))
    samples.sort(key=lambda one: one.t)
    return DisturbanceLog(tuple(samples), marks, reason, is_unseen, is_readded)


def _rows(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.splitlines()[:MAX_LINES]:
        try:
            row = orjson.loads(line)  # refuses NaN, infinity and deep nesting
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


def _sample(row: dict[str, Any], t: float) -> ClusterSecond:
    words = {word for state in row["states"] for word in str(state).split("+")}
    listed = row.get("checks")
    checks = listed[:20] if isinstance(listed, list) else []
    return ClusterSecond(
        t=t,
        degraded=int(_number(row, "degraded")),
        misplaced=int(_number(row, "misplaced")),
        recovery=int(_number(row, "recovery_bytes")),
        moved=int(_number(row, "moved")),
        is_moving=any(word in MOVING for word in words),
        checks=tuple(cleaned(str(one)[:80]) for one in checks),
    )


def _number(row: dict[str, Any], name: str) -> float:
    value = row.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        return 0.0
    return max(0.0, min(float(value), MAX_NUMBER))


def phases_of(log: DisturbanceLog, kind: str, load_end: float) -> tuple[Phase, ...]:
    """Return the phases in order, each as far as it was reached and the load ran."""
    marks = log.marks
    if DISTURBED not in marks:
        return _ended([("before", 0.0)], load_end)
    disturbed = marks[DISTURBED]
    begin = marks.get(RESTORED, load_end) if kind in STOPPING else disturbed
    rows: list[tuple[str, float | None]] = [("before", 0.0)]
    if kind == DEEP_SCRUB:
        rows += [("scrubbing", disturbed), ("after", marks.get(CLEAN))]
    else:
        moving = _first_moving(log.samples, begin, marks.get(CLEAN, load_end))
        rows += [("degraded", disturbed), ("recovering", moving)]
        if kind == OSD_OUT:
            rows += [("clean", marks.get(CLEAN)), ("returning", marks.get(RESTORED))]
            rows += [("after", marks.get(RETURNED))]
        else:
            rows += [("after", marks.get(CLEAN))]
    end = min(marks.get(DONE, load_end), load_end)
    return _ended([(name, at) for name, at in rows if at is not None], end)


def _first_moving(samples: Sequence[ClusterSecond], begin: float, end: float) -> float | None:
    """Return the first second in which objects are recovered; None if no sample shows it."""
    return next((one.t for one in samples if begin <= one.t < end and one.is_moving), None)


def _ended(rows: Sequence[tuple[str, float]], end: float) -> tuple[Phase, ...]:
    ends = [start for _name, start in rows[1:]] + [end]
    pairs = zip(rows, ends, strict=True)
    return tuple(Phase(name, start, min(to, end)) for (name, start), to in pairs if start < end)


def moved_bytes(log: DisturbanceLog) -> int | None:
    """Return the bytes recovered from the disturbance to the end; None without samples.

    A re-added member counts positions that it skips, not bytes.
    """
    if DISTURBED not in log.marks or log.is_readded:
        return None
    before = [one.moved for one in log.samples if one.t <= log.marks[DISTURBED]]
    later = [one.moved for one in log.samples if one.t > log.marks[DISTURBED]]
    if not before or not later:
        return None
    return max(0, max(later) - before[-1])

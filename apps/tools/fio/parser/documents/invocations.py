"""Detection of documents that another call of fio wrote.

The status documents of one call (--status-interval) have the same jobs with the same options. Their
counters only grow, except at the end of a ramp time. `elapsed` counts whole seconds since the start
of the call, rounded up (fio: eta.c), so wall time minus `elapsed` is the start of the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apps.tools.fio.parser.clients import client_names
from apps.tools.fio.parser.direction import directions_of
from apps.tools.text import number
from apps.tools.values import Decoded

from .repair import jobs_of

_SLACK_SECONDS = 1.5  # seconds; `elapsed` is rounded up, and the two clocks are not read at once
_EXTRA_SLACK_SECONDS = 1.0  # additional slack if the wall time has whole seconds
_MIN_PAUSE_SECONDS = 0.9
Counts = tuple[float, float, float]  # operations, bytes, milliseconds


@dataclass(frozen=True)
class Document:
    """Properties that identify the call of a document.

    `clock`, `elapsed`: seconds, None if unknown. `counts`: by job and direction. `ramps`: True if
    counters may be reset, None if the options are unknown.
    """

    jobs: tuple[tuple[object, ...], ...]
    settings: object
    starts: tuple[float, ...]
    clock: float | None
    slack: float
    elapsed: float | None
    ramps: bool | None
    counts: dict[tuple[int, str], Counts]
    cut: bool

    @classmethod
    def of(cls, document: Decoded, clock: float | None, cut: bool) -> Document:
        """Return the properties of a document written at `clock`; `cut`: it is truncated."""
        jobs = jobs_of(document)
        elapsed = [value for job in jobs if (value := number(job.get("elapsed"))) is not None]
        return cls(
            jobs=tuple(_job(*pair) for pair in zip(jobs, client_names(jobs), strict=True)),
            settings=(document.get("fio version"), document.get("global options")),
            starts=tuple(number(job.get("job_start")) or 0 for job in jobs),
            clock=clock,
            slack=_SLACK_SECONDS + _EXTRA_SLACK_SECONDS * ("timestamp_ms" not in document),
            elapsed=max(elapsed, default=None),
            ramps=_ramps(document, jobs),
            counts=dict(_counts(jobs)),
            cut=cut,
        )


def another_call(before: Document, after: Document) -> bool:
    """Return True if `after` is not a later report of the call that wrote `before`."""
    if before.settings != after.settings or not _same_jobs(before, after):
        return True
    if before.counts == after.counts and before.clock == after.clock:
        return False  # the same report twice
    if _started_at_other_time(before, after):
        return True
    if _counters_reset(before, after):
        return not _may_ramp(before, after)
    return _paused(before, after)


def _job(job: Decoded, client: str) -> tuple[object, ...]:
    return (job.get("jobname"), job.get("groupid"), client, job.get("job options"))


def _same_jobs(before: Document, after: Document) -> bool:
    """Return True if the jobs agree.

    Clients of a server report when they are ready, so some may be missing.
    """
    if before.jobs == after.jobs:
        return True
    if after.cut:
        return before.jobs[: len(after.jobs)] == after.jobs
    few, many = sorted((before.jobs, after.jobs), key=len)
    return any(each[2] for each in many) and all(each in many for each in few)


def _started_at_other_time(before: Document, after: Document) -> bool:
    starts = zip(before.starts, after.starts, strict=False)
    if any(one and other and one != other for one, other in starts):
        return True
    passed, elapsed = _passed(before, after), _elapsed(before, after)
    if elapsed is not None and elapsed < 0:
        return True
    if passed is None:
        return False
    return passed < -_MIN_PAUSE_SECONDS or (
        elapsed is not None and abs(passed - elapsed) > before.slack
    )


def _counters_reset(before: Document, after: Document) -> bool:
    return any(
        new < old
        for key, counts in before.counts.items()
        for old, new in zip(counts, after.counts.get(key, counts), strict=True)
    )


def _may_ramp(before: Document, after: Document) -> bool:
    if after.ramps is not None:
        return after.ramps
    elapsed = _elapsed(before, after)
    return elapsed is None or elapsed > 0


def _paused(before: Document, after: Document) -> bool:
    """Return True if operations were added without run time for them.

    The wall clock continued, the jobs did not. Jobs may also work on after the last operation; then
    `elapsed` grows.
    """
    passed, elapsed = _passed(before, after), _elapsed(before, after)
    if (
        passed is None
        or passed < _MIN_PAUSE_SECONDS
        or (elapsed is not None and elapsed > passed - 0.5)
    ):
        return False
    grown = [
        (new[0] - old[0], (new[2] - old[2]) / 1000)
        for key, old in before.counts.items()
        if (new := after.counts.get(key))
    ]
    return any(more for more, _ran in grown) and max(ran for _more, ran in grown) < passed / 2


def _passed(before: Document, after: Document) -> float | None:
    if before.clock is None or after.clock is None:
        return None
    return after.clock - before.clock


def _elapsed(before: Document, after: Document) -> float | None:
    if before.elapsed is None or after.elapsed is None:
        return None
    return after.elapsed - before.elapsed


def _ramps(document: Decoded, jobs: list[Decoded]) -> bool | None:
    option_groups = [document.get("global options"), *(job.get("job options") for job in jobs)]
    options = [each for each in option_groups if isinstance(each, dict)]
    return any("ramp_time" in each for each in options) if options else None


def _counts(jobs: list[Decoded]) -> Iterator[tuple[tuple[int, str], Counts]]:
    for key, job in enumerate(jobs):
        for name, raw in directions_of(job).items():
            moved = number(raw.get("io_bytes")) or 0
            operations, ran = number(raw.get("total_ios")) or 0, number(raw.get("runtime")) or 0
            yield (key, name), (operations, moved, ran)

"""Whether a background load covers the test: settled before its begin, running until its end.

Times of hosts are compared by the clocks that benchlab measured at the start of the stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.execution.domain.cleanup_jobs import is_cleanup, main_command
from apps.execution.domain.failures import failure_of
from apps.remote.responses import exit_timestamp
from apps.results.selectors.jobs import DoneJob, Files
from apps.runs.models import AttemptJob, FailureCause, JobState
from apps.tools.messages import message

# Measured starts of commands follow the release of a job by some time.
TOLERANCE_SECONDS = 0.1


@dataclass(frozen=True)
class Coverage:
    """`ahead_seconds`: from the begin of the load to that of the test, None if unknown.

    `fault`: why the load does not cover the test; "" if it does. `failure_cause`: of the fault.
    """

    ahead_seconds: float | None = None
    fault: str = ""
    failure_cause: str = ""


@dataclass(frozen=True)
class _Span:
    """Begin and end in monotonic seconds of a host, minus its clock's offset if that is known."""

    host: int
    begin: float
    end: float
    offset: float | None
    uncertainty: float

    def since(self, other: _Span, mine: float, theirs: float) -> float | None:
        """Return `mine` minus `theirs` on one clock; None if the clocks were not compared."""
        if self.host == other.host:
            return mine - theirs
        if self.offset is None or other.offset is None:
            return None
        return (mine - self.offset) - (theirs - other.offset)


def background_coverage(
    rows: Sequence[AttemptJob], files: Files, settle_seconds: float
) -> Coverage:
    """Return whether the loads among these jobs cover the measuring ones."""
    loads = [row for row in rows if row.is_background]
    tested = [span for row in rows if _is_tested(row) for span in _spans(row)]
    ahead: list[float] = []
    for row in loads:
        fault, cause = _fault(row, files)
        load = _load_span(row)
        if fault and not (row.state == JobState.DONE and _ends_later(load, tested)):
            return Coverage(None, fault, cause)
        if load is None:
            fault = message("%(host)s: it never began", host=row.host.name)
            return Coverage(None, fault, FailureCause.HOST)
        for span in tested:
            before = span.since(load, span.begin, load.begin)
            after = load.since(span, load.end, span.end)
            slack = TOLERANCE_SECONDS + load.uncertainty + span.uncertainty
            if before is None or after is None:
                fault = message("%(host)s: its clock was not compared", host=row.host.name)
                return Coverage(None, fault, FailureCause.BENCHLAB)
            ahead.append(before)
            if before < settle_seconds - slack:
                fault = message(
                    "%(host)s: it began only %(seconds)s s before the test",
                    host=row.host.name,
                    seconds=f"{before:.1f}",
                )
                return Coverage(before, fault, FailureCause.HOST)
            if after < -slack:
                fault = message(
                    "%(host)s: it ended %(seconds)s s before the test",
                    host=row.host.name,
                    seconds=f"{-after:.1f}",
                )
                return Coverage(before, fault, FailureCause.HOST)
    return Coverage(min(ahead, default=None))


def _ends_later(load: _Span | None, tested: Sequence[_Span]) -> bool:
    """Return True if the load certainly ended after the test, so that its end is no fault.

    The client of a pair may end by itself when its server is ended.
    """
    if load is None or not tested:
        return False
    for span in tested:
        after = load.since(span, load.end, span.end)
        if after is None or after <= TOLERANCE_SECONDS + load.uncertainty + span.uncertainty:
            return False
    return True


def _is_tested(row: AttemptJob) -> bool:
    return not (row.spans_stages or row.listens or is_cleanup(row.spec))


def _fault(row: AttemptJob, files: Files) -> tuple[str, str]:
    """Return why a load ended by itself, and whose fault it is."""
    failure = failure_of(DoneJob.of(row), files)
    if failure is not None:
        return failure.reason, failure.failure_cause
    serves = any(command.get("listens") for command in row.spec["commands"])
    if not row.exit.get("cancelled") and not serves:
        return message("%(host)s: it had no more to do", host=row.host.name), FailureCause.PLAN
    return "", ""


def _load_span(row: AttemptJob) -> _Span | None:
    """Return the time of the command that is the load."""
    ran, times = row.exit.get("ran") or [], row.exit.get("times") or []
    main = main_command(row.spec)
    for index, (begin, end) in zip(ran, times, strict=False):
        if index == main:
            return _span(row, begin, end)
    return None


def _spans(row: AttemptJob) -> Iterator[_Span]:
    begin = exit_timestamp(row.exit, "started", "monotonic")
    end = exit_timestamp(row.exit, "ended", "monotonic")
    if begin is not None and end is not None:
        yield _span(row, begin, end)


def _span(row: AttemptJob, begin: float, end: float) -> _Span:
    return _Span(row.host_id, begin, end, row.clock_offset, row.clock_uncertainty or 0.0)

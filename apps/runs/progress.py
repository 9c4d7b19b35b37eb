"""How far a run is, and an honest remaining time: what is left on the busiest host, at the pace
that this run's finished cases really had.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from apps.runs.models import FINAL_CASE, Attempt, AttemptState, CaseState, Run, RunState


@dataclass(frozen=True)
class Progress:
    """How far a run is. `elapsed` and `remaining` in seconds; `remaining` is None while the run
    waits for others, and 0 when it has ended.

    `measured`: the remaining time comes from finished cases, not only from what was planned.
    """

    total: int
    done: int
    succeeded: int
    failed: int
    elapsed: float
    remaining: float | None
    measured: bool = False

    @property
    def percent(self) -> float:
        return 100.0 * self.done / self.total if self.total else 0.0


def run_progress(run: Run) -> Progress:
    """Counts by state and the remaining time: one query for a run that has ended or waits, four
    for a running one.
    """
    counts = run.cases.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(state__in=FINAL_CASE)),
        succeeded=Count("pk", filter=Q(state=CaseState.SUCCEEDED)),
        failed=Count("pk", filter=Q(state__in=[CaseState.FAILED, CaseState.LOST])),
    )
    remaining: float | None = 0.0 if run.is_final else None
    measured = False
    if run.state == RunState.RUNNING:
        pace = _pace(run)
        remaining, measured = _remaining(run, pace or 1.0), pace is not None
    return Progress(**counts, elapsed=_elapsed(run), remaining=remaining, measured=measured)


def _elapsed(run: Run) -> float:
    if run.started_at is None:
        return 0.0
    return max(0.0, ((run.finished_at or timezone.now()) - run.started_at).total_seconds())


def _pace(run: Run) -> float | None:
    """Real seconds per planned second of this run's finished cases; None while there is none.

    Both ends are benchlab's own clock, so a host whose clock is wrong tells nothing wrong here.
    """
    sums = Attempt.objects.filter(
        case__run=run, state=AttemptState.SUCCEEDED, cleared_at__isnull=False
    ).aggregate(
        real=Sum(F("cleared_at") - F("created_at"), default=timedelta()),
        planned=Sum("case__expected_seconds", default=0.0),
    )
    if not sums["planned"]:
        return None
    real: float = sums["real"].total_seconds()
    return real / float(sums["planned"])


def _remaining(run: Run, pace: float) -> float:
    """Seconds until the host with most left to do is done: hosts work side by side, and a case of
    several hosts keeps each of them.
    """
    lanes: dict[int, float] = defaultdict(float)
    waiting = run.cases.exclude(state__in=FINAL_CASE).order_by().values_list("host_id", "hosts")
    for host, hosts, left in waiting.annotate(left=Sum("expected_seconds")):
        for pk in hosts or [host]:
            lanes[pk] += left * pace
    now = timezone.now()
    for attempt in _running(run):
        planned = attempt.case.expected_seconds * pace
        passed = min((now - attempt.created_at).total_seconds(), planned)
        for pk in attempt.case.host_ids:
            lanes[pk] -= passed
    return max([0.0, *lanes.values()])


def _running(run: Run) -> QuerySet[Attempt]:
    """Every attempt that is under way."""
    return (
        Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING, ended_at__isnull=True)
        .select_related("case")
        .only("created_at", "case__host_id", "case__hosts", "case__expected_seconds")
    )


def done_counts(runs: list[Run]) -> dict[int, int]:
    """Ended cases of each run that has not ended: one query for a whole list."""
    open_runs = [run.pk for run in runs if not run.is_final]
    if not open_runs:
        return {}
    ended = Q(cases__state__in=FINAL_CASE)
    rows = Run.objects.filter(pk__in=open_runs).annotate(done=Count("cases", filter=ended))
    return dict(rows.values_list("pk", "done"))

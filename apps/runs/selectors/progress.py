"""Progress and remaining time of a run.

The remaining time is that of the busiest host, corrected by the measured durations of finished
cases (`apps.plans.domain.durations`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, QuerySet
from django.utils import timezone

from apps.plans.domain.durations import DurationKey, DurationModel, DurationSample
from apps.runs.models import (
    FINAL_CASE,
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    Run,
    RunState,
)
from apps.runs.models.jobs import SETTINGS
from apps.runs.selectors.participation import hosts_of_targets

Hosts = Mapping[int, Sequence[int]]
"""The hosts of a run's targets by the target's key."""
# So many of a run's newest cases say how long the next ones take.
LATEST = 300
# What was tried to its end. A cancelled case was not: it is not "done".
DONE = [state for state in FINAL_CASE if state != CaseState.CANCELLED]


@dataclass(frozen=True)
class RunProgress:
    """Progress of a run: number of cases by state; `succeeded` were measured, `skipped` not needed.

    `elapsed`, `remaining`: seconds; `remaining` is None while the run waits, 0 after its end.
    `measured`: finished cases correct the remaining time.
    `late`: delay of running cases in seconds.
    """

    total: int
    succeeded: int
    failed: int
    lost: int
    unconfirmed: int
    cancelled: int
    skipped: int
    elapsed: float
    remaining: float | None
    measured: bool = False
    late: float = 0.0

    @property
    def done(self) -> int:
        """Return the number of completed attempts at cases."""
        return self.succeeded + self.bad

    @property
    def bad(self) -> int:
        """Return the number of completed cases without a result."""
        return self.failed + self.lost + self.unconfirmed

    @property
    def open(self) -> int:
        """Return the number of pending and running cases."""
        return max(0, self.total - self.done - self.cancelled - self.skipped)

    @property
    def has_left(self) -> bool:
        """Return True if a needed case has no result."""
        return self.succeeded + self.skipped < self.total

    @property
    def is_closing(self) -> bool:
        """Return True if the expected time is over."""
        return self.remaining is not None and self.remaining < 1.0

    @property
    def percent(self) -> float:
        planned = self.total - self.skipped
        return 100.0 * self.done / planned if planned else 0.0


def run_progress(run: Run, states: Mapping[str, int] | None = None) -> RunProgress:
    """Return counts by state and the remaining time, with five queries for a running run, else one.

    `states`: the number of cases by state, if known.
    """
    if states is None:
        rows = run.cases.order_by().values_list("state").annotate(Count("pk"))
        states = dict(rows)
    counts = {state.value: states.get(state, 0) for state in CaseState if state in FINAL_CASE}
    remaining: float | None = 0.0 if run.is_final else None
    measured, late = False, 0.0
    if run.state == RunState.RUNNING:
        hosts = hosts_of_targets(run.pk)
        history = _history(run, hosts)
        remaining, late = _remaining(run, DurationModel(history, overhead=0.0), hosts)
        measured = bool(history)
    elapsed = _elapsed(run)
    return RunProgress(
        total=sum(states.values()),
        **counts,
        elapsed=elapsed,
        remaining=remaining,
        measured=measured,
        late=late,
    )


def _elapsed(run: Run) -> float:
    if run.started_at is None:
        return 0.0
    return max(0.0, ((run.finished_at or timezone.now()) - run.started_at).total_seconds())


def _history(run: Run, hosts: Hosts) -> list[DurationSample]:
    """Return the measured and expected durations of the newest finished cases.

    Both timestamps are benchlab's, so wrong clocks of hosts have no effect. Cases that share
    restarts of daemons are left out: some have none, and their files stay on the hosts longer.
    """
    sharing = AttemptJob.objects.filter(attempt=OuterRef("pk"), role=SETTINGS)
    done = Attempt.objects.filter(
        ~Exists(sharing),
        case__run=run,
        state=AttemptState.SUCCEEDED,
        host_files_removed_at__isnull=False,
    )
    columns = ("run_target_id", "workload__tool", "workload_id", "run_tuning__name")
    rows = done.annotate(took=F("host_files_removed_at") - F("created_at")).order_by(
        "-host_files_removed_at"
    )
    named = (f"case__{name}" for name in (*columns, "expected_seconds"))
    result = rows.values_list(*named, "took")[:LATEST]
    return [
        DurationSample(DurationKey(hosts[target][0], *kind), planned, took.total_seconds())
        for target, *kind, planned, took in result
    ]


def _remaining(run: Run, durations: DurationModel, hosts: Hosts) -> tuple[float, float]:
    """Return the remaining seconds of the busiest host, and the delay of running cases in seconds.

    Hosts work in parallel; a case of several hosts occupies each of them.
    """
    lanes: dict[int, float] = defaultdict(float)
    waiting = run.cases.exclude(state__in=FINAL_CASE).order_by()
    alike = ("run_target_id", "workload__tool", "workload_id", "run_tuning__name")
    rows = waiting.values_list(*alike, "expected_seconds").annotate(Count("pk"))
    for target, *kind, planned, number in rows:
        for pk in hosts[target]:
            lanes[pk] += durations.seconds(DurationKey(hosts[target][0], *kind), planned) * number
    now, late = timezone.now(), 0.0
    for attempt in _running(run):
        own = hosts[attempt.case.run_target_id]
        expected, passed = _expected(attempt.case, own[0], durations), _passed(attempt, now)
        late = max(late, passed - expected)
        for pk in own:
            lanes[pk] -= min(passed, expected)
    return max([0.0, *lanes.values()]), late


def _expected(case: Case, host: int, durations: DurationModel) -> float:
    kind = DurationKey(host, case.tool, case.workload_id, case.tuning_name)
    return durations.seconds(kind, case.expected_seconds)


def _passed(attempt: Attempt, now: datetime) -> float:
    return (now - attempt.created_at).total_seconds()


def _running(run: Run) -> QuerySet[Attempt]:
    """Return the running attempts."""
    return (
        Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING, ended_at__isnull=True)
        .select_related("case__workload", "case__run_tuning")
        .defer("argv")
    )


def done_counts(runs: Iterable[Run]) -> dict[int, int]:
    """Return the number of completed cases of each open run, with one query."""
    open_runs = [run.pk for run in runs if not run.is_final]
    if not open_runs:
        return {}
    done = Case.objects.filter(run__in=open_runs, state__in=DONE).order_by()
    counted = dict(done.values_list("run_id").annotate(Count("pk")))
    return {run: counted.get(run, 0) for run in open_runs}

"""The progress of a run, and an honest remaining time: what is left on the busiest host, corrected
by what this run's finished cases really took (apps.plans.domain.duration_model).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, QuerySet
from django.utils import timezone

from apps.plans.domain.duration_model import DurationKey, DurationModel, DurationSample
from apps.runs.models import FINAL_CASE, Attempt, AttemptState, Case, CaseState, Run, RunState
from apps.runs.selectors.participation import hosts_of_targets

Hosts = Mapping[int, Sequence[int]]
"""The hosts of a run's targets by the target's key."""
# So many of a run's newest cases say how long the next ones take.
LATEST = 300
# What was tried to its end. A cancelled case was not: it is not "done".
DONE = [state for state in FINAL_CASE if state != CaseState.CANCELLED]


@dataclass(frozen=True)
class RunProgress:
    """The progress of a run: cases that were measured (`succeeded`), `failed`, `lost`, `unproven`
    (given up), `cancelled`, `skipped` (not needed), of `total`. `elapsed` and `remaining` in
    seconds; `remaining` is None while the run waits for others, and 0 when it has ended.

    `measured`: the remaining time comes from finished cases, not only from what was expected.
    `late`: seconds that what runs now takes longer than expected.
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
        """Cases that were tried to their end."""
        return self.succeeded + self.bad

    @property
    def bad(self) -> int:
        """Cases that were tried and gave no result."""
        return self.failed + self.lost + self.unconfirmed

    @property
    def open(self) -> int:
        """Cases that wait or run."""
        return max(0, self.total - self.done - self.cancelled - self.skipped)

    @property
    def has_left(self) -> bool:
        """Whether any case that was needed has no result."""
        return self.succeeded + self.skipped < self.total

    @property
    def is_closing(self) -> bool:
        """Whether what is expected is over, and something still goes on."""
        return self.remaining is not None and self.remaining < 1.0

    @property
    def percent(self) -> float:
        asked = self.total - self.skipped
        return 100.0 * self.done / asked if asked else 0.0


def run_progress(run: Run, states: Mapping[str, int] | None = None) -> RunProgress:
    """Counts by state and the remaining time: one query for a run that has ended or waits, five
    for a running one. `states`: the number of its cases in each state, where that is known.
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
    """The times of this run's newest cases beside the expected ones.

    Both ends are benchlab's own clock, so a host whose clock is wrong tells nothing wrong here.
    """
    done = Attempt.objects.filter(
        case__run=run, state=AttemptState.SUCCEEDED, host_files_removed_at__isnull=False
    )
    columns = ("run_target_id", "workload__tool", "workload_id", "run_tuning__name")
    rows = done.annotate(took=F("host_files_removed_at") - F("created_at")).order_by(
        "-host_files_removed_at"
    )
    named = (f"case__{name}" for name in (*columns, "expected_seconds"))
    found = rows.values_list(*named, "took")[:LATEST]
    return [
        DurationSample(DurationKey(hosts[target][0], *kind), planned, took.total_seconds())
        for target, *kind, planned, took in found
    ]


def _remaining(run: Run, pace: DurationModel, hosts: Hosts) -> tuple[float, float]:
    """Seconds until the host with most left to do is done (hosts work side by side, and a case of
    several hosts keeps each of them), and those by which what runs now is late.
    """
    lanes: dict[int, float] = defaultdict(float)
    waiting = run.cases.exclude(state__in=FINAL_CASE).order_by()
    alike = ("run_target_id", "workload__tool", "workload_id", "run_tuning__name")
    rows = waiting.values_list(*alike, "expected_seconds").annotate(Count("pk"))
    for target, *kind, planned, number in rows:
        for pk in hosts[target]:
            lanes[pk] += pace.seconds(DurationKey(hosts[target][0], *kind), planned) * number
    now, late = timezone.now(), 0.0
    for attempt in _running(run):
        own = hosts[attempt.case.run_target_id]
        expected, passed = _expected(attempt.case, own[0], pace), _passed(attempt, now)
        late = max(late, passed - expected)
        for pk in own:
            lanes[pk] -= min(passed, expected)
    return max([0.0, *lanes.values()]), late


def _expected(case: Case, host: int, pace: DurationModel) -> float:
    kind = DurationKey(host, case.tool, case.workload_id, case.tuning_name)
    return pace.seconds(kind, case.expected_seconds)


def _passed(attempt: Attempt, now: datetime) -> float:
    return (now - attempt.created_at).total_seconds()


def _running(run: Run) -> QuerySet[Attempt]:
    """Every attempt that is under way."""
    return (
        Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING, ended_at__isnull=True)
        .select_related("case__workload", "case__run_tuning")
        .defer("argv")
    )


def done_counts(runs: Iterable[Run]) -> dict[int, int]:
    """Cases of each run that has not ended that were tried to their end: one query for a whole
    list.
    """
    open_runs = [run.pk for run in runs if not run.is_final]
    if not open_runs:
        return {}
    done = Case.objects.filter(run__in=open_runs, state__in=DONE).order_by()
    counted = dict(done.values_list("run_id").annotate(Count("pk")))
    return {run: counted.get(run, 0) for run in open_runs}

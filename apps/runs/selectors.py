"""Reads about runs: lists, one run with its cases, progress and an honest remaining time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from apps.runs.models import FINAL_CASE, Attempt, Case, CaseState, Run, RunEvent, RunState

# Seconds without a word from a host after which "running" is only what we last heard.
SILENCE = timedelta(seconds=45)


@dataclass(frozen=True)
class Progress:
    """How far a run is. `remaining` seconds; None while nothing is known yet."""

    total: int
    done: int
    succeeded: int
    failed: int
    elapsed: float
    remaining: float | None

    @property
    def percent(self) -> float:
        return 100.0 * self.done / self.total if self.total else 0.0


def runs_visible() -> QuerySet[Run]:
    """Every run, newest first: the archive is shared by everybody who is logged in."""
    return Run.objects.select_related("plan", "owner", "team")


def runs_active() -> QuerySet[Run]:
    """What runs now and what waits, oldest first."""
    return runs_visible().filter(state__in=[RunState.QUEUED, RunState.RUNNING]).order_by("pk")


def run_cases(run: Run) -> QuerySet[Case]:
    """A run's cases in order of execution, with what a table of them shows."""
    return run.cases.select_related("workload", "host", "disk", "directory").order_by("position")


def cases_visible() -> QuerySet[Case]:
    """Every case with what it is about."""
    return Case.objects.select_related("run", "workload", "host", "disk", "directory", "tuning")


def run_events(run: Run, *, after: int = 0) -> QuerySet[RunEvent]:
    """The run's diary from an event on."""
    return run.events.filter(pk__gt=after).select_related("case").order_by("pk")


def attempts_open(run: Run) -> QuerySet[Attempt]:
    """What is being executed for a run right now."""
    return (
        Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING, ended_at__isnull=True)
        .select_related("case__workload", "case__host", "case__disk", "case__directory")
        .order_by("case__position")
    )


def contact_lost_since(attempt: Attempt) -> datetime | None:
    """Since when nothing certain is known of an attempt; None while the host answers.

    No word for longer than SILENCE counts too: a worker that is gone notes nothing.
    """
    if attempt.is_final:
        return None
    if attempt.contact_lost_since is not None:
        return attempt.contact_lost_since
    if attempt.contact_at and timezone.now() - attempt.contact_at > SILENCE:
        return attempt.contact_at
    return None


def run_progress(run: Run) -> Progress:
    """Counts by state, and the remaining time: what is expected of the open cases, corrected by
    how long the finished ones really took.
    """
    open_cases = ~Q(state__in=FINAL_CASE)
    sums = run.cases.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=~open_cases),
        succeeded=Count("pk", filter=Q(state=CaseState.SUCCEEDED)),
        expected_done=Sum("expected_seconds", filter=~open_cases),
        expected_left=Sum("expected_seconds", filter=open_cases),
    )
    elapsed = _elapsed(run)
    return Progress(
        total=sums["total"],
        done=sums["done"],
        succeeded=sums["succeeded"],
        failed=sums["done"] - sums["succeeded"],
        elapsed=elapsed,
        remaining=_remaining(run, elapsed, sums["expected_done"], sums["expected_left"]),
    )


def _elapsed(run: Run) -> float:
    if run.started_at is None:
        return 0.0
    return ((run.finished_at or timezone.now()) - run.started_at).total_seconds()


def _remaining(
    run: Run, elapsed: float, expected_done: float | None, expected_left: float | None
) -> float | None:
    if run.is_final:
        return 0.0
    left = expected_left or 0.0
    lanes = max(1, run.cases.values("host_id").distinct().count())
    if not expected_done:
        return max(left / lanes - elapsed, 0.0)
    return left * elapsed / expected_done

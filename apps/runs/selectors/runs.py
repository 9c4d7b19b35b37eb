"""Queries of runs, cases and open attempts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from django.db.models import Min, Model, Prefetch, QuerySet

from apps.inventory.models import models_of_kinds
from apps.runs.models import (
    Attempt,
    AttemptState,
    Case,
    CaseState,
    Origin,
    Run,
    RunTarget,
    RunTargetMember,
)
from apps.runs.selectors.heartbeats import engine_is_alive
from apps.runs.selectors.progress import RunProgress, run_progress

__all__ = [
    "RunProgress",
    "attempts_open",
    "case_alone",
    "cases_visible",
    "hosts_met",
    "measured_workloads",
    "run_progress",
    "runs_listed",
    "runs_visible",
]

# What a case shares with others, and tells about itself.
SHARED = ("workload", "run_target", "run_tuning")
MEMBERS = "run_target__members"
LOADED_MEMBERS = "background__run_target__members"
_Row = TypeVar("_Row", bound=Model)


def runs_visible() -> QuerySet[Run]:
    """Return all runs, newest first, with `engine_alive` for `reason_now`."""
    runs = Run.objects.select_related("plan", "owner", "team")
    return runs.annotate(engine_alive=engine_is_alive())


def runs_listed() -> QuerySet[Run]:
    """Return all runs without columns that lists do not show."""
    return runs_visible().select_related(None).select_related("owner").defer("spec")


def measured_workloads(run: Run) -> list[int]:
    """Return the ids of a run's workloads, ascending."""
    rows = run.cases.order_by("workload").values_list("workload", flat=True)
    return list(rows.distinct())


def cases_visible() -> QuerySet[Case]:
    """Return all cases with targets and members, which are read once per target."""
    rows = targets_with_rows(RunTarget.objects.all(), "target")
    members = targets_with_rows(RunTargetMember.objects.select_related("host"), "target")
    return Case.objects.select_related(
        "run", "workload", "run_tuning", "background"
    ).prefetch_related(Prefetch("run_target", rows), Prefetch(MEMBERS, members), LOADED_MEMBERS)


def case_alone() -> QuerySet[Case]:
    """Return the query of one case with its relations: two queries."""
    rows = Case.objects.select_related("run__owner", *SHARED, "background")
    members = Prefetch(MEMBERS, RunTargetMember.objects.select_related("host"))
    return targets_with_rows(rows, "run_target__target").prefetch_related(members, LOADED_MEMBERS)


def targets_with_rows(rows: QuerySet[_Row], link: str) -> QuerySet[_Row]:
    """Return the rows with the disk, pool ... that `link` refers to."""
    return rows.select_related(link, *(f"{link}__{kind}" for kind in models_of_kinds()))


def hosts_met(runs: Iterable[Run]) -> dict[int, list[str]]:
    """Return the host names of each run in the order of its targets, imported ones by name."""
    of = "run_target__run"
    rows = RunTargetMember.objects.filter(**{f"{of}__in": [run.pk for run in runs]}).order_by()
    named = rows.values_list(of, f"{of}__origin", "host_name", "host__name")
    result: dict[int, list[tuple[int, int, str]]] = {}
    positions = Min("run_target__position"), Min("position")
    for run, origin, then, now, target, member in named.annotate(*positions):
        position = (0, 0) if origin == Origin.IMPORTED else (target, member)
        result.setdefault(run, []).append((*position, then or now))
    return {run: list(dict.fromkeys(row[-1] for row in sorted(met))) for run, met in result.items()}


def attempts_open(run: Run) -> QuerySet[Attempt]:
    """Return the attempts of a run that are being executed."""
    return _with_members(
        Attempt.objects.filter(case__run=run, case__state=CaseState.RUNNING, ended_at__isnull=True)
    )


def attempts_read_since(run: Run, before: datetime) -> QuerySet[Attempt]:
    """Return the attempts of a run whose parsing began before a timestamp."""
    rows = Attempt.objects.filter(
        case__run=run, case__state=CaseState.RUNNING, state=AttemptState.PARSING
    )
    return _with_members(rows.filter(contact_at__lt=before))


def _with_members(rows: QuerySet[Attempt]) -> QuerySet[Attempt]:
    return (
        rows.select_related(*(f"case__{name}" for name in SHARED))
        .prefetch_related(
            Prefetch(f"case__{MEMBERS}", RunTargetMember.objects.select_related("host"))
        )
        .order_by("case__sequence")
    )


def baseline_of(run: Run) -> str:
    """Return the name of the baseline tuning; empty without one."""
    return run.tunings.filter(is_baseline=True).values_list("name", flat=True).first() or ""

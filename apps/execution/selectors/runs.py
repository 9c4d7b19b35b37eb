"""Read what a run has left to do."""

from __future__ import annotations

from dataclasses import dataclass

from apps.execution.domain.lease import LeaseRow
from apps.execution.selectors.preconditioning import preparing_cases
from apps.runs.models import (
    Case,
    CaseState,
    Run,
)
from apps.runs.selectors.participation import hosts_of_targets
from apps.runs.services.stopping_rules import rules_of


@dataclass(frozen=True)
class RunWork:
    """Open work of a run.

    `cases`: in order, each with the ids of its hosts. `preparing`: those that precondition disks.
    `more_may_follow`: stopping rules may add cases.
    """

    cases: list[tuple[int, list[int]]]
    preparing: set[int]
    more_may_follow: bool


def run_work(run_id: int) -> RunWork:
    """Return the open work of a run."""
    more_may_follow = bool(rules_of(Run.objects.get(pk=run_id)))
    return RunWork(cases_to_do(run_id), preparing_cases(run_id), more_may_follow)


def hosts_of_run(run_id: int) -> list[int]:
    """Return the ids of all hosts of the run."""
    return sorted({host for hosts in hosts_of_targets(run_id).values() for host in hosts})


def cases_to_do(run_id: int) -> list[tuple[int, list[int]]]:
    """Return the run's open cases in order, each with the ids of its hosts."""
    rows = Case.objects.filter(run_id=run_id, state__in=[CaseState.PENDING, CaseState.RUNNING])
    hosts = hosts_of_targets(run_id)
    wanted = rows.order_by("sequence").values_list(
        "pk", "run_target_id", "background__run_target_id"
    )
    return [
        (pk, list(dict.fromkeys([*hosts[target], *hosts.get(loaded, ())])))
        for pk, target, loaded in wanted
    ]


def case_is_open(case_id: int) -> bool:
    """Return True if jobs of the case may be running, so that a cancelled run must end them."""
    return Case.objects.filter(pk=case_id, state=CaseState.RUNNING).exists()


def lease_row(run_id: int) -> LeaseRow | None:
    """Return the stored lease of a run, or None if the run was deleted."""
    row = Run.objects.filter(pk=run_id).values_list("state", "fence", "worker").first()
    return None if row is None else LeaseRow(*row)

"""Workloads of results: a test of several operations has one per operation."""

from __future__ import annotations

from collections.abc import Sequence

from apps.plans.models import Workload
from apps.runs.models import Attempt, Case
from apps.tools.registry import TOOLS
from apps.tools.workloads.identity import Identity, planned_identity


def workloads_ensure(results: Sequence[tuple[Attempt, str]]) -> list[int]:
    """Return the workload id of each operation; create missing workloads."""
    cases = _cases([attempt for attempt, _operation in results])
    identities = [
        None if attempt.imported is not None else _own_identity(cases[attempt.case_id], operation)
        for attempt, operation in results
    ]
    new = {
        each.key: Workload(
            key=each.key,
            tool=cases[attempt.case_id].tool,
            params=each.params,
            label=each.label,
        )
        for (attempt, _operation), each in zip(results, identities, strict=True)
        if each is not None
    }
    rows: dict[str, Workload] = {}
    if new:
        Workload.objects.bulk_create(new.values(), ignore_conflicts=True)
        rows = Workload.objects.in_bulk(list(new), field_name="key")
    return [
        cases[attempt.case_id].workload_id if identity is None else rows[identity.key].pk
        for (attempt, _operation), identity in zip(results, identities, strict=True)
    ]


def _cases(attempts: Sequence[Attempt]) -> dict[int, Case]:
    keys = {attempt.case_id for attempt in attempts}
    return Case.objects.select_related("workload").in_bulk(keys)


def _own_identity(case: Case, operation: str) -> Identity | None:
    """Return the workload of an operation, None if it is that of the case."""
    tool = TOOLS.get(case.tool)
    if tool is None:
        return None
    identity = planned_identity(tool, case.params, operation)
    return None if identity.key == case.workload.key else identity

"""Workloads of results: a test of several operations has one per operation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.plans.domain.disturbed_workloads import (
    disturbance_of,
    disturbed_label,
    disturbed_params,
)
from apps.plans.models import Workload
from apps.runs.models import Attempt, Case
from apps.tools.params import canonical_key
from apps.tools.registry import TOOLS
from apps.tools.workloads.identity import Identity, planned_identity


def workloads_ensure(results: Sequence[tuple[Attempt, str]]) -> list[int]:
    """Return the workload id of each operation; create missing workloads."""
    cases = _cases([attempt for attempt, _operation in results])
    identities = [
        None if attempt.imported is not None else result_identity(cases[attempt.case_id], operation)
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


def result_identity(case: Case, operation: str) -> Identity | None:
    """Return the workload of an operation, None if it is that of the case."""
    tool = TOOLS.get(case.tool)
    if tool is None:
        return None
    identity = _disturbed(planned_identity(tool, case.params, operation), case)
    return None if identity.key == case.workload.key else identity


def _disturbed(identity: Identity, case: Case) -> Identity:
    """Return the identity with the disturbance of the case, if it has one."""
    disturbance = disturbance_of(case.workload.params)
    if not disturbance:
        return identity
    params = disturbed_params(identity.params, disturbance)
    key = canonical_key({"tool": case.tool, "params": params})
    label = disturbed_label(identity.label, disturbance)
    return replace(identity, key=key, label=label, params=params, nameless_key=key)

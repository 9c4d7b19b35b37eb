"""Shares of components: one of several disks, hosts or streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.results.models import Measurement
from apps.runs.models import Attempt, RunTargetMember
from apps.tools.workloads.order import name_key, operation_key


@dataclass(frozen=True)
class ShareRow:
    """Component, or the whole (`component` empty). `share`: of the bandwidth, 0 to 1."""

    row: Measurement
    component: str
    share: float | None
    member: RunTargetMember | None = None


def share_rows(attempt: Attempt) -> list[tuple[str, list[ShareRow]]]:
    """Return (operation, the whole and its components in the order of members)."""
    members = attempt.case.members
    order: dict[int | None, int] = {member.pk: position for position, member in enumerate(members)}
    by_operation: dict[str, list[Measurement]] = {}
    for row in sorted(attempt.measurements.all(), key=lambda row: name_key(row.component)):
        by_operation.setdefault(row.operation, []).append(row)
    result = []
    tool = attempt.case.tool
    for operation in sorted(by_operation, key=lambda name: operation_key(tool, name)):
        rows = by_operation[operation]
        if any(row.component for row in rows):
            rows.sort(key=lambda row: (bool(row.component), order.get(row.member_id, len(order))))
            result.append((operation, _shares(rows, {member.pk: member for member in members})))
    return result


def _shares(rows: list[Measurement], members: Mapping[int, RunTargetMember]) -> list[ShareRow]:
    whole = next((row.bandwidth for row in rows if not row.component), None)
    return [
        ShareRow(
            row,
            row.component,
            row.bandwidth / whole if whole and row.bandwidth else None,
            members.get(row.member_id) if row.member_id is not None else None,
        )
        for row in rows
    ]

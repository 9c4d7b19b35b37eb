"""What each part contributed: one disk of several, one host of several, one stream."""

from __future__ import annotations

from dataclasses import dataclass

from apps.results.models import Measurement
from apps.runs.models import Attempt
from apps.tools.order import name_key, operation_key


@dataclass(frozen=True)
class ShareRow:
    """A line of the table: a part's figures, or the whole's (`part` empty). `share` is the part of
    the whole's bandwidth, 0 to 1.
    """

    row: Measurement
    part: str
    share: float | None


def share_rows(attempt: Attempt) -> list[tuple[str, list[ShareRow]]]:
    """(operation, the whole and then its parts in the members' order); nothing for an operation
    without parts.
    """
    order = {member.label: place for place, member in enumerate(attempt.case.members)}
    by_operation: dict[str, list[Measurement]] = {}
    for row in sorted(attempt.measurements.all(), key=lambda row: name_key(row.part)):
        by_operation.setdefault(row.operation, []).append(row)
    found = []
    tool = attempt.case.tool
    for operation in sorted(by_operation, key=lambda name: operation_key(tool, name)):
        rows = by_operation[operation]
        if any(row.part for row in rows):
            rows.sort(key=lambda row: (bool(row.part), order.get(row.part, len(order))))
            found.append((operation, _shares(rows)))
    return found


def _shares(rows: list[Measurement]) -> list[ShareRow]:
    whole = next((row.bandwidth for row in rows if not row.part), None)
    return [
        ShareRow(row, row.part, row.bandwidth / whole if whole and row.bandwidth else None)
        for row in rows
    ]

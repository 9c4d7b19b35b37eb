"""The preview of a list of disks to enrol."""

from __future__ import annotations

from dataclasses import dataclass

from apps.inventory.selectors.disk_list_plan import ENROL, STATES, DiskListPlan, PlannedDisk

_ORDER = {state: index for index, state in enumerate(reversed(STATES))}


@dataclass(frozen=True)
class DiskPreviewRow:
    """A row of the preview. `box`: the value of its check box, "" for a row without one."""

    row: PlannedDisk
    box: str
    is_selected: bool


def disk_preview_rows(plan: DiskListPlan, boxes: set[str]) -> list[DiskPreviewRow]:
    """Return the rows, those with errors first. `boxes`: those that the user has selected."""
    rows = sorted(plan.rows, key=lambda row: _ORDER[row.state])
    return [_row(row, boxes) for row in rows]


def _row(row: PlannedDisk, boxes: set[str]) -> DiskPreviewRow:
    box = f"{row.token} {row.listed.line}" if row.state == ENROL else ""
    return DiskPreviewRow(row, box, bool(box) and (not boxes or box in boxes))

"""What a launch costs the disks that it writes to, by the catalogue of disk models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from apps.inventory.models import CatalogueEntry, Disk
from apps.inventory.selectors.catalogue import catalogue_entries, entry_of
from apps.plans.schemas.planned import PlannedCase, PlannedWear, Preview

TIMED_RATE = 1 << 30  # bytes/s, as the totals of a preview state
HOUR = 3600.0


@dataclass
class _Use:
    """What the cases do to one disk."""

    bytes_written: float = 0.0
    depends_on_speed: bool = False
    seconds: float = 0.0


def with_wear(preview: Preview) -> Preview:
    """Return the preview with the wear of each disk that it writes to."""
    uses = _uses(case for case in preview.cases if case.writes and case.target.uses == "disk")
    if not uses:
        return preview
    rows = Disk.objects.filter(pk__in=uses).select_related("model", "host").order_by("host", "pk")
    entries = catalogue_entries()
    return replace(preview, wear=tuple(_wear(disk, uses[disk.pk], entries) for disk in rows))


def _uses(cases: Iterable[PlannedCase]) -> dict[int, _Use]:
    uses: dict[int, _Use] = {}
    for case in cases:
        parts = case.target.parts
        for part in parts:
            use = uses.setdefault(part.id, _Use())
            timed = case.timed_seconds * TIMED_RATE
            written = timed if case.bytes_written is None else case.bytes_written
            use.bytes_written += written / len(parts)
            use.depends_on_speed |= case.bytes_written is None
            use.seconds += case.seconds
    return uses


def _wear(disk: Disk, use: _Use, entries: list[CatalogueEntry]) -> PlannedWear:
    entry = entry_of(disk, entries)
    rated = entry.rated_bytes if entry else None
    written = disk.known.smart.written
    return PlannedWear(
        disk=disk.pk,
        label=str(disk),
        bytes_written=int(use.bytes_written),
        depends_on_speed=use.depends_on_speed,
        drive_writes=use.bytes_written / disk.size if disk.size else None,
        rated_percent=100 * use.bytes_written / rated if rated else None,
        written_percent=100 * written / rated if rated and written is not None else None,
        hours=use.seconds / HOUR,
    )

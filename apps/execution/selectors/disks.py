"""Read the stored fingerprints of disks."""

from __future__ import annotations

from apps.inventory.models import Disk
from apps.remote.job_spec import Fingerprint
from apps.runs.models import RunTargetMember


def expected_content(member: RunTargetMember) -> Fingerprint | None:
    """Return the fingerprint a disk must have before a test writes to it, or None if unknown."""
    rows = Disk.objects.filter(target=member.target_id, identity=member.identity)
    known: Fingerprint | None = rows.values_list("fingerprint", flat=True).first()
    return known


def enrolled_disks(host_id: int) -> list[Disk]:
    """Return the enrolled disks that are present on a host."""
    rows = Disk.objects.filter(host_id=host_id, enrolled_at__isnull=False)
    return list(rows.exclude(device_path="").select_related("host"))

"""Labels of targets in choices, with why one may not be used."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.domain.units import binary_bytes
from apps.inventory.models import Directory, Disk, Pool, TargetGroup
from apps.plans.selectors.target_rows import group_words, pool_words


def disk_label(disk: Disk) -> str:
    """Return a disk's label with its model, and why it may not be written to."""
    size = binary_bytes(disk.size) if disk.size else ""
    words = [str(disk), disk.model_name, size, _state(disk)]
    return with_state(words, disk.host.enabled)


def directory_label(row: Directory) -> str:
    return with_state([str(row), _("directory")], row.host.enabled)


def group_label(group: TargetGroup) -> str:
    return with_state([group_words(group), _("group")], enabled=True)


def pool_label(pool: Pool) -> str:
    made = _("made and deleted by benchlab") if pool.is_ephemeral else _("existing")
    return with_state([pool_words(pool), made], pool.host.enabled)


def with_state(words: list[str], enabled: bool) -> str:
    words = [*words, "" if enabled else _("host switched off")]
    return " · ".join(word for word in words if word)


def _state(disk: Disk) -> str:
    if disk.is_enrolled:
        return ""
    if disk.known.system:
        return _("holds the system: read tests only")
    if not disk.can_be_enrolled:
        return _("reports no identity: read tests only")
    return _("not enrolled: read tests only")

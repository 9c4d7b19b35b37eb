"""What the plan form offers as targets, by kind, each with what a person needs to choose it."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from apps.common.units import binary_bytes
from apps.inventory.models import Directory, Disk, Pool, TargetGroup

from .offers import (
    directories_offered,
    disks_offered,
    groups_offered,
    hosts_offered,
    mesh_of,
    pools_offered,
    targets_named,
)
from .things import group_words, pool_words, target_value

Choice = tuple[str, str]
Choices = list[tuple[str, list[Choice]]]
# A list of all pairs of more hosts is longer than anybody reads; a mesh still names them.
MOST_PAIRED = 24


def target_choices() -> Choices:
    """Disks and directories by host, then groups, then pools: only what there is."""
    found: dict[str, list[Choice]] = {}
    for disk in disks_offered():
        title = _("Disks of %s") % disk.host.name
        found.setdefault(title, []).append((target_value(disk), disk_label(disk)))
    for row in directories_offered():
        title = _("Directories of %s") % row.host.name
        found.setdefault(title, []).append((target_value(row), directory_label(row)))
    groups = [(target_value(group), group_label(group)) for group in groups_offered()]
    pools = [(target_value(pool), pool_label(pool)) for pool in pools_offered()]
    found |= {_("Groups, used all at once"): groups} if groups else {}
    found |= {_("Ceph pools"): pools} if pools else {}
    return list(found.items())


def host_choices() -> list[Choice]:
    return [(str(host.pk), _with_state([host.name], host.enabled)) for host in hosts_offered()]


def pair_choices(chosen: Iterable[str]) -> list[Choice]:
    """Every ordered pair of the lab's hosts, if they are few; and always those already chosen."""
    hosts = dict(hosts_offered().filter(enabled=True).values_list("pk", "name"))
    values = mesh_of(hosts) if len(hosts) <= MOST_PAIRED else []
    names = {value: _arrow(value, hosts) for value in values}
    more = [value for value in dict.fromkeys(chosen) if value not in names]
    names |= {target_value(pair): str(pair) for pair in targets_named(more)}
    return list(names.items())


def _arrow(value: str, hosts: dict[int, str]) -> str:
    client, server = map(int, value.removeprefix("pair:").split("-"))
    return f"{hosts[client]} → {hosts[server]}"


def disk_label(disk: Disk) -> str:
    """A disk with what it is, and why it may not be written to."""
    size = binary_bytes(disk.size) if disk.size else ""
    words = [str(disk), disk.model, size, _state(disk)]
    return _with_state(words, disk.host.enabled)


def directory_label(row: Directory) -> str:
    return _with_state([str(row), _("directory")], row.host.enabled)


def group_label(group: TargetGroup) -> str:
    return _with_state([group_words(group), _("group")], enabled=True)


def pool_label(pool: Pool) -> str:
    made = _("made and deleted by benchlab") if pool.is_made else _("found")
    return _with_state([pool_words(pool), made], pool.host.enabled)


def _with_state(words: list[str], enabled: bool) -> str:
    words = [*words, "" if enabled else _("host switched off")]
    return " · ".join(word for word in words if word)


def _state(disk: Disk) -> str:
    if disk.is_enrolled:
        return ""
    if disk.data.get("system", False):
        return _("holds the system: read tests only")
    if not disk.can_be_enrolled:
        return _("says no identity: read tests only")
    return _("not enrolled: read tests only")

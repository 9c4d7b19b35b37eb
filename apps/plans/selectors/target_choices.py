"""Targets that the plan form offers, by kind."""

from __future__ import annotations

from collections.abc import Iterable

from apps.plans.selectors.target_kinds import KINDS
from apps.plans.selectors.target_labels import with_state
from apps.plans.selectors.target_names import mesh_of, target_value, targets_named
from apps.plans.selectors.targets_offered import hosts_offered

Choice = tuple[str, str]
Choices = list[tuple[str, list[Choice]]]
# A list of all pairs of more hosts is longer than anybody reads; a mesh still names them.
MAX_PAIRED_HOSTS = 24


def target_choices() -> Choices:
    """Return disks and directories by host, then groups, then pools; empty kinds left out."""
    result: dict[str, list[Choice]] = {}
    for kind in KINDS.values():
        for row in kind.offered():
            result.setdefault(kind.title(row), []).append((target_value(row), kind.label(row)))
    return list(result.items())


def host_choices() -> list[Choice]:
    return [(str(host.pk), with_state([host.name], host.enabled)) for host in hosts_offered()]


def pair_choices(chosen: Iterable[str]) -> list[Choice]:
    """Return every ordered pair of hosts if they are few, and the pairs already chosen."""
    hosts = dict(hosts_offered().filter(enabled=True).values_list("pk", "name"))
    values = mesh_of(hosts) if len(hosts) <= MAX_PAIRED_HOSTS else []
    names = {value: _arrow(value, hosts) for value in values}
    more = [value for value in dict.fromkeys(chosen) if value not in names]
    names |= {target_value(pair): str(pair) for pair in targets_named(more)}
    return list(names.items())


def _arrow(value: str, hosts: dict[int, str]) -> str:
    client, server = map(int, value.removeprefix("pair:").split("-"))
    return f"{hosts[client]} → {hosts[server]}"

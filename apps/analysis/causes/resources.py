"""Resources of a test that another run may use at the same time: hosts, controllers, storage."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.analysis.repeats.conditions import SharedConditions, conditions_of
from apps.analysis.repeats.repeats import UNKNOWN, Conditions
from apps.inventory.domain.facts import rows
from apps.inventory.models import HostFacts
from apps.runs.models import RunTargetMember

NETWORK_KINDS = frozenset({"pair", "pool"})
"""Kinds of targets whose tests use the network."""


@dataclass(frozen=True)
class Resources:
    """Resources of one test.

    `buses`: host and PCI root port of its disks, as the host reports it. `storage`: remote systems
    that store its target. `uses_network`: its data crosses the network.
    """

    hosts: frozenset[int] = frozenset()
    buses: frozenset[tuple[int, str]] = frozenset()
    storage: frozenset[str] = frozenset()
    uses_network: bool = False

    def shared_with(self, other: Resources) -> list[str]:
        """Return the kinds of resources that both use: keys of `Observation.neighbours`.

        The switch between hosts is unknown, so the network counts only if nothing nearer is shared.
        """
        kinds = {
            "bus": self.buses & other.buses,
            "host": self.hosts & other.hosts,
            "storage": self.storage & other.storage,
        }
        shared = [name for name, common in kinds.items() if common]
        if not shared and self.uses_network and other.uses_network:
            return ["network"]
        return shared


@dataclass(frozen=True)
class _Member:
    """Member of a target of a run."""

    host: int
    target_kind: str
    identity: str


def resources_of(groups: Sequence[SharedConditions]) -> list[Resources]:
    """Return the resources of each group. Two queries and those of `conditions_of`."""
    members = _members({one.run_target for one in groups})
    buses = _buses({one.facts for one in groups if one.facts is not None})
    return [
        _resources(one, conditions, members[one.run_target], buses)
        for one, conditions in zip(groups, conditions_of(groups), strict=True)
    ]


def _resources(
    group: SharedConditions,
    conditions: Conditions,
    members: Sequence[_Member],
    buses: Mapping[int, Mapping[tuple[int, str], str]],
) -> Resources:
    storage = storage_systems(conditions)
    known = buses.get(group.facts or 0, {})
    keys = [(one.host, one.identity) for one in members]
    return Resources(
        frozenset(one.host for one in members),
        frozenset((host, known[host, disk]) for host, disk in keys if (host, disk) in known),
        storage,
        bool(storage) or any(one.target_kind in NETWORK_KINDS for one in members),
    )


def storage_systems(conditions: Conditions) -> frozenset[str]:
    """Return the remote systems that store a target: the target of its fabric, its file server."""
    fabric = conditions.properties.get("fabric", "")
    mount = conditions.properties.get("mount", "")
    server = mount.partition(",")[0].partition(" of ")[2]
    name = fabric.rpartition(", ")[2] if ", " in fabric else ""
    return frozenset(one for one in (name, server) if one and one != UNKNOWN)


def _members(targets: Iterable[int]) -> dict[int, list[_Member]]:
    result: dict[int, list[_Member]] = defaultdict(list)
    found = RunTargetMember.objects.filter(run_target__in=list(targets)).order_by()
    for target, host, kind, identity in found.values_list("run_target", "host", "kind", "identity"):
        result[target].append(_Member(host, kind, identity))
    return result


def _buses(facts: Iterable[int]) -> dict[int, dict[tuple[int, str], str]]:
    """Return the root port of each disk (host, identity) by the facts that report it."""
    found = HostFacts.objects.filter(pk__in=list(facts)).order_by()
    table = found.values_list("pk", "host", "facts__disks")
    return {
        pk: {
            (host, str(disk["identity"])): str(disk["bus"])
            for disk in rows({"disks": disks}, "disks")
            if disk.get("identity") and disk.get("bus")
        }
        for pk, host, disks in table
    }

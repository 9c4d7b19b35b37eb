"""What each host does in a case, frozen at the launch: `Case.members` is a list of these as JSON.

A single disk or directory has none in the row; `members_of` gives one for it all the same, so that
nobody needs to know the difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.plans.target_data import disk_name
from apps.plans.targets import PartData, Role, TargetData
from apps.runs.models import Case
from apps.tools.base import JSON, PoolPlan, TargetKind

NAME_LENGTH = 500


@dataclass(frozen=True)
class Member:
    """One part of a case's target. `host` is a host's id, `label` the part's name: "vdb", with
    several hosts "node1 vdb", of a pool's client or an end of a pair the host's name.

    `id` is the row's (disk, directory, pool or pair), `identity` as in `base.Target`; `size` in
    bytes. `make`: how the pool is made before the test and deleted after it.
    """

    role: Role
    host: int
    host_name: str
    label: str
    kind: TargetKind
    id: int | None
    identity: str
    size: int | None = None
    make: PoolPlan | None = None


def members_freeze(target: TargetData) -> list[JSON]:
    """What a case of this target keeps; empty for a single disk or directory. The lead is first;
    of a pair the client is first, then the server.
    """
    several = len(target.hosts) > 1
    labels: dict[str, int] = {}
    return [asdict(_member(part, several, labels)) for part in target.members]


def hosts_freeze(target: TargetData) -> list[int]:
    """The ids of all hosts, the lead first; empty where there is only one."""
    hosts = [host.id for host in target.hosts]
    return hosts if len(hosts) > 1 else []


def target_fields(target: TargetData) -> dict[str, Any]:
    """The fields of a case that say what it is about."""
    return {
        f"{target.kind}_id": target.id,
        "host_id": target.host_id,
        "hosts": hosts_freeze(target),
        "members": members_freeze(target),
        "target_name": target.label[:NAME_LENGTH],
    }


def member_of(row: Mapping[str, Any]) -> Member:
    """A member from its JSON."""
    make = row.get("make")
    return Member(**{**row, "make": PoolPlan(**make) if make else None})


def members_of(case: Case) -> tuple[Member, ...]:
    """Everything the case's target consists of, the lead's first; nothing for imported results."""
    if case.members:
        return tuple(member_of(row) for row in case.members)
    disk, directory = case.disk, case.directory
    if disk is not None:
        return (_single(case, disk_name(disk), "disk", disk.pk, disk.identity, disk.size or None),)
    if directory is not None:
        return (_single(case, directory.path, "directory", directory.pk, directory.path, None),)
    return ()


def _single(
    case: Case, label: str, kind: TargetKind, pk: int, identity: str, size: int | None
) -> Member:
    return Member("client", case.host_id, case.host.name, label, kind, pk, identity, size)


def _member(part: PartData, several: bool, labels: dict[str, int]) -> Member:
    return Member(
        role=part.role,
        host=part.host.id,
        host_name=part.host.name,
        label=_unlike(_label(part, several), labels),
        kind=part.kind,
        id=part.id or None,
        identity=part.identity,
        size=part.size,
        make=part.make,
    )


def _label(part: PartData, several: bool) -> str:
    if part.kind in ("pool", "pair"):
        return part.host.name
    return f"{part.host.name} {part.name}" if several else part.name


def _unlike(label: str, seen: dict[str, int]) -> str:
    """Parts of a result are told apart by their labels: a second equal one gets a number."""
    seen[label] = seen.get(label, 0) + 1
    return label if seen[label] == 1 else f"{label} ({seen[label]})"

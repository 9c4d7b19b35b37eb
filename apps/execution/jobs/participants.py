"""The hosts of a case, each with its members of the target."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

from apps.inventory.models import Disk
from apps.remote.agent.ceph.daemon_names import split_identities
from apps.remote.job_spec import JobSpec, targets_of
from apps.runs.models import Case, RunTargetMember
from apps.runs.models.jobs import OSD_HOST


@dataclass(frozen=True)
class Participant:
    """One host of a case.

    `number` counts the hosts from 0; the `lead` is the first one, a pair's client. `daemons`: OSDs,
    monitors and MDS behind the pool on this host, by kind: {"osd": "osds:0,3"}.
    """

    host: int
    name: str
    role: str
    number: int
    members: tuple[RunTargetMember, ...]
    daemons: Mapping[str, str] = field(default_factory=dict)

    @property
    def lead(self) -> bool:
        return self.number == 0

    @property
    def disks(self) -> list[str]:
        """Return the identities of its disks."""
        return [member.identity for member in self.members if member.kind == "disk"]


def participants_of(case: Case) -> list[Participant]:
    """Return every measuring host of the case, the lead first."""
    hosts: dict[int, list[RunTargetMember]] = {}
    for member in case.members:
        if member.role != OSD_HOST:
            hosts.setdefault(member.host_id, []).append(_as_enrolled(case.target, member))
    daemons = daemons_of(case)
    return [
        Participant(host, own[0].host_name, own[0].role, number, tuple(own), daemons.get(host, {}))
        for number, (host, own) in enumerate(hosts.items())
    ]


def background_participants_of(case: Case) -> list[Participant]:
    """Return every host of the case's background load, the lead first; none without one."""
    target = case.background_target
    if target is None:
        return []
    hosts: dict[int, list[RunTargetMember]] = {}
    row = target.target.row if target.target is not None else None
    for member in target.all_members:
        if member.role != OSD_HOST:
            hosts.setdefault(member.host_id, []).append(_as_enrolled(row, member))
    return [
        Participant(host, own[0].host_name, own[0].role, number, tuple(own))
        for number, (host, own) in enumerate(hosts.items())
    ]


def osd_hosts_of(case: Case) -> list[Participant]:
    """Return the hosts of daemons behind the case's pool that do not measure."""
    measuring = {member.host_id for member in case.members if member.role != OSD_HOST}
    rows = [member for member in case.members if member.role == OSD_HOST]
    return [
        Participant(
            row.host_id, row.host_name, OSD_HOST, number, (row,), split_identities(row.identity)
        )
        for number, row in enumerate(rows, len(measuring))
        if row.host_id not in measuring
    ]


def daemons_of(case: Case) -> dict[int, dict[str, str]]:
    """Return the daemons behind the case's pool by host id and kind."""
    rows = [row for row in case.members if row.role == OSD_HOST]
    return {row.host_id: split_identities(row.identity) for row in rows}


def writes_to_disks(spec: JobSpec) -> bool:
    """Return True if a job may change the content of a raw disk."""
    return any(target["kind"] == "disk" and target["write"] for target in targets_of(spec))


def _as_enrolled(disk: object, member: RunTargetMember) -> RunTargetMember:
    """Return the member with the enrolled size of its disk: another size is another disk."""
    if not isinstance(disk, Disk):
        return member
    enrolled = copy(member)
    enrolled.size = disk.enrolled_size or disk.size
    return enrolled

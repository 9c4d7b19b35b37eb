"""The hosts of a case, each with what it works on."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from apps.inventory.models import Disk
from apps.remote.job_spec import JobSpec, targets_of
from apps.runs.models import Case, Member


@dataclass(frozen=True)
class Participant:
    """One host's part in a case. `number` counts the hosts from 0; the `lead` is the first one, a
    pair's client.
    """

    host: int
    name: str
    role: str
    number: int
    members: tuple[Member, ...]

    @property
    def lead(self) -> bool:
        return self.number == 0

    @property
    def disks(self) -> list[str]:
        """The identities of its disks."""
        return [member.identity for member in self.members if member.kind == "disk"]


def participants_of(case: Case) -> list[Participant]:
    """Every host of the case, the lead first."""
    hosts: dict[int, list[Member]] = {}
    for member in case.members:
        hosts.setdefault(member.host_id, []).append(_as_enrolled(case, member))
    return [
        Participant(host, own[0].host_name, own[0].role, number, tuple(own))
        for number, (host, own) in enumerate(hosts.items())
    ]


def writes_to_disks(spec: JobSpec) -> bool:
    """Whether a job may change what a raw disk holds."""
    return any(target["kind"] == "disk" and target["write"] for target in targets_of(spec))


def _as_enrolled(case: Case, member: Member) -> Member:
    """A single disk has the size it was enrolled with: another size is another disk."""
    disk = case.target
    if not isinstance(disk, Disk):
        return member
    enrolled = copy(member)
    enrolled.size = disk.enrolled_size or disk.size
    return enrolled

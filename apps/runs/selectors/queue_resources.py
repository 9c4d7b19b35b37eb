"""Resources of many runs at once, as `resources.resources_of` returns them for one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from apps.inventory.models import Disk, Host
from apps.inventory.selectors.host_identity import machines_of
from apps.runs.models import RunTargetMember, RunTuning
from apps.runs.selectors.resources import CEPH_SETTINGS, DISK_KIND, POOL_KIND


def resources_of_runs(runs: Collection[int]) -> dict[int, frozenset[str]]:
    """Return the resources of each run: five queries for all."""
    rows = RunTargetMember.objects.filter(run_target__run__in=runs).select_related("run_target")
    members: dict[int, list[RunTargetMember]] = {run: [] for run in runs}
    for row in rows.order_by("run_target__position", "position"):
        members[row.run_target.run_id].append(row)
    tuned = set(
        RunTuning.objects.filter(run__in=runs, settings__rows__contains=CEPH_SETTINGS).values_list(
            "run", flat=True
        )
    )
    everything = [row for own in members.values() for row in own]
    lab = _Lab(everything)
    return {run: frozenset(lab.names(own, run in tuned)) for run, own in members.items()}


class _Lab:
    """Machines, clusters and disks of all members, read once."""

    def __init__(self, members: Sequence[RunTargetMember]) -> None:
        hosts = {member.host_id for member in members}
        self._machines = machines_of(hosts)
        clients = Host.objects.filter(pk__in=hosts, cluster__isnull=False)
        self._clusters = dict(clients.values_list("pk", "cluster_id"))
        targets = [member.target_id for member in members if member.kind == DISK_KIND]
        self._disks = {disk.pk: disk.claim for disk in Disk.objects.filter(target__in=targets)}

    def names(self, members: Sequence[RunTargetMember], sets_ceph_options: bool) -> set[str]:
        """Return the resources of a run's members."""
        hosts = {member.host_id for member in members}
        result = {f"host:{pk}" for pk in hosts}
        result |= {f"machine:{name}" for pk in hosts for name in self._machines.get(pk, ())}
        first_clients: dict[int, RunTargetMember] = {}
        clients: dict[bool, set[int]] = defaultdict(set)
        for member in members:
            if member.kind == DISK_KIND:
                alone = f"{member.identity}@{member.host_id}"
                result.add(f"disk:{self._disks.get(member.target_id or 0, alone)}")
            elif member.kind == POOL_KIND:
                first_clients.setdefault(member.run_target_id, member)
                clients[True].add(member.host_id)
            if member.position == 0:
                clients[sets_ceph_options].add(member.host_id)
        result |= {f"pool:{one.identity}@{one.host_id}" for one in first_clients.values()}
        clusters = {self._clusters[pk] for pk in clients[True] if pk in self._clusters}
        return result | {f"ceph:{pk}" for pk in clusters}

"""Hosts and targets for tests, made past the services."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from django.utils import timezone

from apps.accounts.models import User
from apps.inventory.models import (
    CephCluster,
    Directory,
    Disk,
    DiskModel,
    Host,
    HostBatch,
    Pool,
    TargetGroup,
)
from apps.inventory.services import facts_store
from apps.remote.keys import generate_key
from tests.harness.documents import Changes

FSID = "4f0c1e6a-9d1b-4c54-8a54-6a3c5b1f2d10"
_number = count(1)


def create_host(*, name: str = "", **fields: Any) -> Host:
    """A reachable host over SSH with a pinned key, unless the fields say otherwise."""
    number = next(_number)
    wanted = {
        "address": f"192.0.2.{number % 250 + 1}",
        "key_source": Host.KeySource.AGENT,
        "host_key": public_line(),
        "health": Host.Health.OK,
    } | fields
    return Host.objects.create(name=name or f"node-{number:03}", **wanted)


def create_cluster(fsid: str = FSID, **fields: Any) -> CephCluster:
    return CephCluster.objects.create(fsid=fsid, **fields)


def create_disk_model(name: str = "Test disk", **fields: Any) -> DiskModel:
    return DiskModel.objects.get_or_create(name=name, defaults=fields)[0]


def create_disk(
    *, host: Host | None = None, enrolled_by: User | None = None, **fields: Any
) -> Disk:
    number = next(_number)
    wanted: Changes = {
        "identity": f"wwn:eui.{number:016x}",
        "device_path": f"/dev/nvme{number}n1",
        "size": 10**12,
        "model": create_disk_model(),
        "facts": {"mounts": [], "holders": [], "signatures": [], "queue": {"scheduler": "none"}},
    } | fields
    if enrolled_by is not None:
        wanted |= {"enrolled_by": enrolled_by, "enrolled_at": timezone.now()}
        wanted |= {"enrolled_size": wanted["size"]}
    return Disk.objects.create(host=host or create_host(), **wanted)


def create_directory(
    *, owner: User, host: Host | None = None, path: str = "/srv/bench"
) -> Directory:
    return Directory.objects.create(host=host or create_host(), path=path, owner=owner)


def create_archive_host(name: str = "") -> Host:
    """A host that somebody imported results of."""
    name = name or f"old-{next(_number):03}"
    return Host.objects.create(name=name, kind=Host.Kind.IMPORTED_ONLY, user="")


def create_pool(*, owner: User, host: Host | None = None, **fields: Any) -> Pool:
    """A pool that is there, unless the fields say otherwise."""
    host = host or create_host()
    wanted = {"name": f"pool-{next(_number)}", "cluster": host.cluster} | fields
    return Pool.objects.create(host=host, owner=owner, **wanted)


def create_group(
    *,
    owner: User,
    disks: Sequence[Disk] = (),
    directories: Sequence[Directory] = (),
    name: str = "",
) -> TargetGroup:
    """A group of these; of two disks of one host if there are none."""
    if not disks and not directories:
        host = create_host()
        disks = [create_disk(host=host, enrolled_by=owner) for _number in range(2)]
    group = TargetGroup.objects.create(name=name or f"group {next(_number)}", owner=owner)
    group.disks.set(disks)
    group.directories.set(directories)
    return group


def create_batch(user: User, *hosts: Host) -> HostBatch:
    """Hosts that one list added."""
    batch = HostBatch.objects.create(form="node_set", created_by=user)
    batch.hosts.set(hosts)
    return batch


def create_facts(host: Host, **changes: Any) -> Changes:
    """Store the facts of a small machine for the host; returns them."""
    data = small_facts(**changes)
    facts_store(host=host, data=data)
    host.refresh_from_db()
    return data


def small_facts(**changes: Any) -> Changes:
    """The facts that the agent of a machine with one NVMe disk says."""
    facts: Changes = {
        "kernel": "6.1.0-18-amd64",
        "distribution": "Debian GNU/Linux 12",
        "architecture": "x86_64",
        "hostname": "node",
        "boot_id": "a",
        "uptime": 12.5,
        "cpu": {"model": "Xeon", "count": 8, "sockets": 1, "numa": [{"node": 0, "cpus": [0]}]},
        "memory": 2**34,
        "nics": [{"name": "eth0", "addresses": ["192.0.2.1"], "speed": 10000, "driver": "ixgbe"}],
        "tools": {"fio": "3.33", "iozone": None},
        "installers": ["apt"],
        "disks": [small_disk()],
    }
    return facts | changes


def small_disk(**changes: Any) -> Changes:
    disk: Changes = {
        "identity": "wwn:eui.1",
        "kind": "nvme",
        "node": "/dev/nvme0n1",
        "size": 10**12,
        "model": "Test disk",
        "serial": "S1",
        "rotational": False,
        "queue": {"scheduler": "none", "schedulers": ["none", "bfq"], "nr_requests": 64},
        "hardware_queues": [{"queue": 0, "cpus": [0, 1]}],
        "mounts": [],
        "holders": [],
        "signatures": [],
        "swap": False,
        "system": False,
    }
    return disk | changes


def public_line() -> str:
    """A host's public key as it is pinned."""
    return " ".join(generate_key()[1].split()[:2])

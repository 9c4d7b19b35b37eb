"""Targets under test: disks, directories, Ceph pools and host pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TargetKind = Literal["disk", "directory", "pool", "pair"]


@dataclass(frozen=True)
class PoolPlan:
    """Layout of a Ceph pool that benchlab creates and deletes.

    `replicas` is for a replicated pool; `k` and `m` are the chunks of an erasure coded pool (k = 0:
    replicated).
    """

    pg_num: int = 64
    replicas: int | None = None
    k: int = 0
    m: int = 0
    failure_domain: Literal["host", "osd"] = "host"


@dataclass(frozen=True)
class ToolTarget:
    """Target of one case.

    - `identity`: the stored identity of a disk or a directory, the name of a pool, or the server's
      address on the network under test. The agent replaces `{target}` inside arguments by the
      device node or directory on the host; only the agent uses `/dev` names.
    - `size`: bytes; of several disks or directories the smallest one's.
    - `count`: number of disks or directories of one host that are used at once. `{target0}`,
      `{target1}` ... name them; `{target}` is the first.
    - `pinned`: the tuning profile requests one CPU per hardware queue. `{cpus}` (`{cpus0}` ... for
      several targets) becomes the list of CPUs, "0,4,1".
    - `make`: layout of the pool that is created before the test and deleted after it; None for an
      existing pool.
    - `zoned`: zone model of a disk (none, host-aware, host-managed); empty if unknown.
    - `device_kind`: kind of all disks (nvme, scsi ...); empty if unknown, "mixed" if they differ.
    """

    kind: TargetKind
    identity: str
    size: int | None = None
    count: int = 1
    pinned: bool = False
    make: PoolPlan | None = None
    zoned: str = ""
    device_kind: str = ""

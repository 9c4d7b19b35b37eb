"""Targets of a plan as plain data. The kinds are in apps.plans.selectors.target_kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from apps.inventory.schemas.backing_arrays import BackingArray
from apps.inventory.schemas.host_facts import OwnerLimits
from apps.remote.agent.ceph.daemon_names import names_of, restart_rank
from apps.tools.targets import PoolPlan, TargetKind, ToolTarget

Role = Literal["client", "server"]
# The kinds that consist of nothing but themselves.
SINGLE = ("disk", "directory")


@dataclass(frozen=True)
class PlannedHost:
    """A host as the checks need it. None: unknown.

    `memory_bytes` and `link_bits_per_second`: of the last check; the fastest card with an address.
    `tools` maps a tool to its version on the host, None if missing; `options` to the options that
    it lists, empty if not read. `machine`: the machine id, shared by entries of one machine.
    """

    id: int
    name: str
    enabled: bool = True
    root: bool = True
    cpu_count: int | None = None
    memory_bytes: int | None = None
    link_bits_per_second: float | None = None
    tools: Mapping[str, str | None] | None = None
    machine: str = ""
    options: Mapping[str, frozenset[str]] = field(default_factory=dict)
    owner_limits: OwnerLimits = field(default_factory=OwnerLimits)


@dataclass(frozen=True)
class PlannedMember:
    """One host's part of a target: a disk, a directory, a pool client, an end of a pair.

    `name` is short ("sdb"), `label` complete ("node01: sdb"); other fields as in PlannedTarget.
    """

    kind: TargetKind
    id: int
    identity: str
    name: str
    label: str
    host: PlannedHost
    size: int | None = None
    enrolled: bool = True
    schedulers: tuple[str, ...] = ()
    zoned: str = ""
    device_kind: str = ""
    role: Role = "client"
    make: PoolPlan | None = None
    is_rotational: bool | None = None
    backing: BackingArray | None = None
    server: str = ""
    server_memory: int | None = None


@dataclass(frozen=True)
class PlannedOsdHost:
    """An OSD host that settings can apply to; `identity` has its OSDs, "osds:0,3"."""

    host: PlannedHost
    identity: str


@dataclass(frozen=True)
class PlannedDaemons:
    """Monitors or MDS behind a pool: their hosts, and names of hosts that benchlab does not reach.

    `identity` of a host has its daemons: "mons:a", "mdss:x,y".
    """

    hosts: tuple[PlannedOsdHost, ...] = ()
    unreachable: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedCluster:
    """The Ceph cluster of a pool.

    `osds`: of the last check. `may_be_disturbed`: an admin allows disturbances.
    """

    fsid: str
    osds: frozenset[int] = frozenset()
    may_be_disturbed: bool = False


@dataclass(frozen=True)
class FailingDisk:
    """A disk that a disturbance takes from its md array.

    `arrays`: devices that hold it. Its enrolment is older than the array.
    """

    label: str
    host_id: int
    enrolled: bool
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedTarget:
    """A target of a plan.

    `identity`: that of a disk, the path of a directory, the name of a pool, the server address of a
    pair. `host`: the first one. `size` in bytes, the smallest of a group. `members`: the parts of a
    pool, pair or group, those of the first host first; none for a single disk or directory.
    `osd_hosts`: of a pool. `unreachable_osd_hosts`: names of
    those that benchlab does not reach. `daemons`: monitors and MDS of a pool, by kind. `restarts`:
    kinds of daemons that an admin allows to restart, which their `slow_options` need: each option
    with the kinds that read it. `option_names`: all
    options that the pool's Ceph has, empty if unknown. `observed`: OSD hosts record
    metrics in each test. `level`: RAID level of a group. `zoned`: as in ToolTarget. `id`: 0 for a
    pair without a row. `is_rotational`: of a disk, None if it is not known. `backing`: the
    array of which a disk consists. `device_kind`: nvme, scsi or another kind of disk.
    `server`: that stores a directory; `server_memory`: of its host, in bytes.
    `cluster`: of a pool, None while it is not known or confirmed.
    """

    kind: str
    id: int
    identity: str
    label: str
    host: PlannedHost
    size: int | None = None
    enrolled: bool = True
    schedulers: tuple[str, ...] = ()
    zoned: str = ""
    device_kind: str = ""
    members: tuple[PlannedMember, ...] = ()
    osd_hosts: tuple[PlannedOsdHost, ...] = ()
    unreachable_osd_hosts: tuple[str, ...] = ()
    daemons: Mapping[str, PlannedDaemons] = field(default_factory=dict)
    restarts: tuple[str, ...] = ()
    slow_options: Mapping[str, Sequence[str]] = field(default_factory=dict)
    option_names: frozenset[str] = frozenset()
    level: str = ""
    observed: bool = False
    is_rotational: bool | None = None
    backing: BackingArray | None = None
    server: str = ""
    server_memory: int | None = None
    cluster: PlannedCluster | None = None

    @property
    def host_id(self) -> int:
        return self.host.id

    @property
    def key(self) -> tuple[str, int | str]:
        """Return a key that is unique among the plan's targets, also for pairs without a row."""
        return (self.kind, self.id or "-".join(str(part.host.id) for part in self.members))

    @property
    def restartable(self) -> tuple[str, ...]:
        """Return the kinds of daemons that may be restarted and are all reached."""
        return tuple(kind for kind in self.restarts if self.reaches(kind))

    def reaches(self, kind: str) -> bool:
        """Return True if benchlab reaches all daemons of a kind, and there are some."""
        daemons = self.daemons_of(kind)
        return bool(daemons.hosts) and not daemons.unreachable

    def daemons_of(self, kind: str) -> PlannedDaemons:
        """Return the daemons of a kind behind a pool."""
        if kind == "osd":
            return PlannedDaemons(self.osd_hosts, self.unreachable_osd_hosts)
        return self.daemons.get(kind, PlannedDaemons())

    def daemon_names(self, kind: str) -> list[str]:
        """Return the names of the reached daemons of a kind: ["osd.0", "osd.3"]."""
        names = (name for one in self.daemons_of(kind).hosts for name in names_of(one.identity))
        return sorted(names, key=restart_rank)

    @property
    def parts(self) -> tuple[PlannedMember, ...]:
        """Return all members, those of the first host first."""
        return (self._only_part(),) if self.kind in SINGLE else self.members

    @property
    def hosts(self) -> tuple[PlannedHost, ...]:
        """Return each participating host once, the first one first."""
        return tuple({part.host.id: part.host for part in self.parts}.values())

    @property
    def uses(self) -> TargetKind | None:
        """Return the kind that a tool uses; None for a mixed or empty target."""
        kinds = {part.kind for part in self.parts}
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def max_on_a_host(self) -> int:
        """Return the largest number of disks or directories on one host."""
        return max((len(self.parts_on(host)) for host in self.hosts), default=0)

    def parts_on(self, host: PlannedHost) -> list[PlannedMember]:
        return [part for part in self.parts if part.host.id == host.id]

    def for_tools(self, *, pinned: bool = False) -> list[ToolTarget]:
        """Return the target as tools accept it, once for each host that runs the tool.

        A pair is run by its client.
        """
        if self.kind == "pair":
            return [ToolTarget("pair", self.identity, pinned=pinned)]
        return [_for_tool(self.parts_on(host), pinned) for host in self.hosts]

    def _only_part(self) -> PlannedMember:
        assert self.kind in SINGLE, "what has several parts names them"
        name = self.label.rpartition(": ")[2].removeprefix("/dev/")
        kind: TargetKind = "disk" if self.kind == "disk" else "directory"
        return PlannedMember(
            kind, self.id, self.identity, name, self.label, self.host, self.size,
            self.enrolled, self.schedulers, self.zoned, is_rotational=self.is_rotational,
            backing=self.backing, device_kind=self.device_kind, server=self.server,
            server_memory=self.server_memory,
        )  # fmt: skip


def _for_tool(parts: list[PlannedMember], pinned: bool) -> ToolTarget:
    """Return the members of one host for a tool.

    The first identity, the smallest size, and whether all have zones.
    """
    first = parts[0]
    sizes = [part.size for part in parts if part.size is not None]
    size = min(sizes, default=None)
    zoned = first.zoned if len({part.zoned for part in parts}) == 1 else "none"
    kinds = {part.device_kind for part in parts}
    device_kind = first.device_kind if len(kinds) == 1 else "mixed"
    return ToolTarget(
        first.kind, first.identity, size, len(parts), pinned, first.make, zoned, device_kind
    )

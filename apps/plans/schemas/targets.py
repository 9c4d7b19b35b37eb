"""A plan's targets as plain data. The kinds are in apps.plans.selectors.target_kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.targets import PoolPlan, TargetKind, ToolTarget

Role = Literal["client", "server"]
# The kinds that consist of nothing but themselves.
SINGLE = ("disk", "directory")


@dataclass(frozen=True)
class PlannedHost:
    """A host as far as the checks need it. None stands for "not known yet".

    `tools` maps a tool's name to its version on the host, None where it is missing; `options` to
    the options that it lists there, empty where the host was not asked. `machine` is the machine's
    own id: two entries of one machine share it.
    """

    id: int
    name: str
    enabled: bool = True
    root: bool = True
    cpu_count: int | None = None
    tools: Mapping[str, str | None] | None = None
    machine: str = ""
    options: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class PlannedMember:
    """One host's part in a target: one disk or directory of it, a pool's client, an end of a
    pair. `name` is short ("sdb"), `label` whole ("node01: sdb"); the rest as in PlannedTarget.
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
    role: Role = "client"
    make: PoolPlan | None = None


@dataclass(frozen=True)
class PlannedOsdHost:
    """A host behind a pool, whose OSDs may be lent settings: `identity` names them, "osds:0,3"."""

    host: PlannedHost
    identity: str


@dataclass(frozen=True)
class PlannedTarget:
    """A target of a plan. `identity`: a disk's as the agent knows it, a directory's path, a pool's
    name, a pair's server address; `host` is the first one. `size` in bytes, a group's smallest.

    `members` are the parts of a pool, pair or group, the first host's first; a single disk or
    directory has none. `behind` are the hosts behind a pool, `away` the names of those that
    benchlab does not reach; `restarts`: an admin allows that its OSDs are restarted, which their
    `slow_options` need; `observed`: the hosts behind it tell of themselves in each test. `level`:
    of the array that a group is. `zoned`: as in ToolTarget. `id` is 0 for a pair that has no row
    yet.
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
    members: tuple[PlannedMember, ...] = ()
    behind: tuple[PlannedOsdHost, ...] = ()
    away: tuple[str, ...] = ()
    restarts: bool = False
    slow_options: frozenset[str] = frozenset()
    level: str = ""
    observed: bool = False

    @property
    def host_id(self) -> int:
        return self.host.id

    @property
    def key(self) -> tuple[str, int | str]:
        """Tells targets of a plan apart, also pairs that have no row yet."""
        return (self.kind, self.id or "-".join(str(part.host.id) for part in self.members))

    @property
    def parts(self) -> tuple[PlannedMember, ...]:
        """Everything it consists of, the first host's first."""
        return (self._only_part(),) if self.kind in SINGLE else self.members

    @property
    def hosts(self) -> tuple[PlannedHost, ...]:
        """Every host that takes part once, the first one first."""
        return tuple({part.host.id: part.host for part in self.parts}.values())

    @property
    def uses(self) -> TargetKind | None:
        """The kind a tool meets; None for a target that mixes kinds or is empty."""
        kinds = {part.kind for part in self.parts}
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def most_on_a_host(self) -> int:
        """The most disks or directories of one host that are used at once."""
        return max((len(self.parts_on(host)) for host in self.hosts), default=0)

    def parts_on(self, host: PlannedHost) -> list[PlannedMember]:
        return [part for part in self.parts if part.host.id == host.id]

    def for_tools(self, *, pinned: bool = False) -> list[ToolTarget]:
        """The target as a tool room takes it, once for each host that runs the tool for itself; a
        pair is run by its client's procedure.
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
            self.enrolled, self.schedulers, self.zoned,
        )  # fmt: skip


def _for_tool(parts: list[PlannedMember], pinned: bool) -> ToolTarget:
    """The parts of one host: the first one's identity, the smallest one's size, and whether all
    have zones.
    """
    first = parts[0]
    sizes = [part.size for part in parts if part.size is not None]
    size = min(sizes, default=None)
    zoned = first.zoned if len({part.zoned for part in parts}) == 1 else "none"
    return ToolTarget(first.kind, first.identity, size, len(parts), pinned, first.make, zoned)

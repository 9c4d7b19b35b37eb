"""Facts of hosts and disks as the agent reports them, and stored OSDs.

The response of the agent is stored unchanged (`HostFacts.facts`, `Disk.facts`) and parsed here.
Responses of every agent version are accepted: a missing value, or one of another type, is None or
empty.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema
from apps.inventory.schemas.storage_paths import Fabric, KnownMount, is_inside
from apps.remote.cluster_responses import CephDaemon, ClusterOsd

K = TypeVar("K", bound=msgspec.Struct)

Raw = Mapping[str, object]
"""An object of the agent's answer, not looked into yet."""


class NumaNode(msgspec.Struct, frozen=True):
    node: int = 0
    cpus: tuple[int, ...] = ()


class Cpu(msgspec.Struct, frozen=True):
    """CPUs of a host; `count`: those online."""

    model: str | None = None
    count: int | None = None
    sockets: int | None = None
    numa: tuple[NumaNode, ...] = ()


class NetworkCard(msgspec.Struct, frozen=True):
    """A network card; `speed` in Mbit/s, None if the link is down or does not report it."""

    name: str = ""
    addresses: tuple[str, ...] = ()
    speed: int | None = None
    driver: str | None = None


class Queue(msgspec.Struct, frozen=True):
    """The settings of a block queue, and its available schedulers."""

    scheduler: str | None = None
    schedulers: tuple[str, ...] = ()
    nr_requests: int | None = None
    read_ahead_kb: int | None = None
    max_sectors_kb: int | None = None
    max_hw_sectors_kb: int | None = None
    rq_affinity: int | None = None

    @property
    def scheduler_choice(self) -> str:
        """Return the schedulers with the active one in brackets, as in sysfs."""
        names = (f"[{name}]" if name == self.scheduler else name for name in self.schedulers)
        return " ".join(names) or self.scheduler or ""

    def values(self) -> list[tuple[str, int]]:
        """Return the known numbers by name."""
        plain = msgspec.structs.asdict(self)
        return sorted((name, value) for name, value in plain.items() if isinstance(value, int))


class HardwareQueue(msgspec.Struct, frozen=True):
    queue: int = 0
    cpus: tuple[int, ...] = ()


class Link(msgspec.Struct, frozen=True):
    """The link of a disk: present and largest `rate`, in "bit/s" or "T/s" of all lanes.

    The kernel reports no `max_rate` of SAS disks.
    """

    rate: int | None = None
    max_rate: int | None = None
    unit: str = ""


class Smart(msgspec.Struct, frozen=True):
    """Wear of a disk: its own verdict `passed`, `used` and `spare` in percent.

    `by`: the field or attribute that reports it. `written` by hosts and `nand_written` in bytes of
    its life, `resolution`: bytes of one step of `written`; `degrees` in Celsius; `name`: the
    kernel's; `link` of a SATA disk. Available spare is not wear.
    """

    passed: bool | None = None
    used: int | None = None
    by: str | None = None
    spare: int | None = None
    hours: int | None = None
    written: int | None = None
    resolution: int | None = None
    nand_written: int | None = None
    media_errors: int | None = None
    degrees: int | None = None
    name: str = ""
    link: Link = Link()


class KnownArray(msgspec.Struct, frozen=True):
    """The array of which a disk consists, as the host's tools report it; sizes in bytes."""

    level: str = ""
    disks: int = 0
    disk_model: str = ""
    chunk_bytes: int | None = None
    cache_bytes: int | None = None
    write_policy: str = ""
    battery: bool | None = None
    degraded: bool | None = None


class DiskPath(msgspec.Struct, frozen=True):
    """One path of a multipath disk: kernel name and state."""

    name: str = ""
    state: str = ""


class KnownPartition(msgspec.Struct, frozen=True):
    name: str = ""


class KnownDisk(msgspec.Struct, frozen=True):
    """A disk of a host; sizes in bytes.

    `slot`: the bay of an `enclosure` of this make. `bus`: the PCI root port that it shares with its
    neighbours. `link`: of NVMe and SAS. `zoned`: none, host-aware or host-managed
    (queue/zoned), None if not reported. `system`: the host runs from it. `ambiguous`: set by
    benchlab if another device of the host has the same identity.
    """

    identity: str | None = None
    node: str | None = None
    kind: str | None = None
    model: str | None = None
    serial: str | None = None
    wwn: str | None = None
    firmware: str | None = None
    slot: str | None = None
    enclosure: str | None = None
    bus: str | None = None
    link: Link = Link()
    size: int | None = None
    rotational: bool = False
    zoned: str | None = None
    logical_block: int | None = None
    physical_block: int | None = None
    queue: Queue = Queue()
    smart: Smart = Smart()
    array: KnownArray = KnownArray()
    paths: tuple[DiskPath, ...] = ()
    fabric: Fabric = Fabric()
    hardware_queues: tuple[HardwareQueue, ...] = ()
    mounts: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    partitions: tuple[KnownPartition, ...] = ()
    signatures: tuple[str, ...] = ()
    read_only: bool = False
    swap: bool = False
    system: bool = False
    ambiguous: bool = False

    @property
    def known_link(self) -> Link:
        """Return the link as the kernel reports it, else as the disk does; best with its maximum.

        A SATA disk behind a SAS adapter has both, and only its own report has a maximum.
        """
        links = (self.link, self.smart.link)
        with_maximum = [one for one in links if one.rate and one.max_rate]
        return next(iter(with_maximum), self.link if self.link.rate else self.smart.link)

    @property
    def bay(self) -> str:
        """Return its slot with the make of the enclosure; empty if not reported."""
        return f"{self.enclosure or ''} {self.slot}".strip() if self.slot else ""


class LimitDocument(msgspec.Struct, frozen=True):
    """The file of a host's owner; None: no limit. `hours`: from, to and zone."""

    tools: tuple[str, ...] | None = None
    disks: tuple[str, ...] | None = None
    settings: tuple[str, ...] | None = None
    hours: dict[str, str] | None = None
    seconds: float | None = None
    bytes_a_day: int | None = None
    note: str = ""


class OwnerLimits(msgspec.Struct, frozen=True):
    """Limits of the host's owner (docs/howto/guarded-hosts.md); `error`: why all is refused.

    `allowed_disks`: identities of the disks that the limits allow; None if they limit none.
    """

    limits: LimitDocument = LimitDocument()
    error: str = ""
    is_stopped: bool = False
    allowed_disks: tuple[str, ...] | None = None


class KnownFacts(msgspec.Struct, frozen=True):
    """A host; `memory` in bytes.

    `tools` maps a program to its version, None if it is missing. `tools` and `disks` are None if
    the host could not determine them.
    """

    kernel: str | None = None
    distribution: str | None = None
    architecture: str | None = None
    machine_id: str | None = None
    cpu: Cpu = Cpu()
    memory: int | None = None
    hostname: str | None = None
    nics: tuple[NetworkCard, ...] = ()
    tools: dict[str, str | None] | None = None
    options: dict[str, tuple[str, ...]] | None = None
    installers: tuple[str, ...] = ()
    disks: tuple[KnownDisk, ...] | None = None
    mounts: tuple[KnownMount, ...] = ()
    owner_limits: OwnerLimits = OwnerLimits()

    def disk(self, identity: str) -> KnownDisk | None:
        """Return the disk with this identity."""
        return next((disk for disk in self.disks or () if disk.identity == identity), None)

    def mount(self, path: str) -> KnownMount | None:
        """Return the file system of a path: the one with the longest mount point."""
        inside = [one for one in self.mounts if is_inside(path, one.point)]
        return max(inside, key=lambda one: len(one.point), default=None)


CLUSTER_OSDS: VersionedSchema[list[ClusterOsd]] = VersionedSchema(list[ClusterOsd])
CLUSTER_DAEMONS: VersionedSchema[list[CephDaemon]] = VersionedSchema(list[CephDaemon])
OPTION_DAEMONS: VersionedSchema[dict[str, list[str]]] = VersionedSchema(dict[str, list[str]])


def known(kind: type[K], raw: object) -> K:
    """Return the known fields of an object of the agent's response; none if it is no object."""
    source = raw if isinstance(raw, Mapping) else {}
    values = {}
    for field in msgspec.structs.fields(kind):
        if source.get(field.name) is not None:
            try:
                values[field.name] = _value(source[field.name], field.type)
            except msgspec.ValidationError:
                continue
    return kind(**values)


def _value(raw: object, kind: Any) -> Any:
    """Return a value of a field; lists of objects row by row, so that a bad row hides no other."""
    inner = _inner(kind)
    if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
        return known(inner, raw)
    row = get_args(inner)[0] if get_origin(inner) is tuple else None
    if isinstance(row, type) and issubclass(row, msgspec.Struct):
        return tuple(known(row, one) for one in raw if one) if isinstance(raw, list) else ()
    if inner is bool:
        return bool(raw)
    if row is str and isinstance(raw, list):
        return tuple(str(one) for one in raw)
    return msgspec.convert(raw, kind)


def _inner(kind: Any) -> Any:
    """Return X of the type `X | None`."""
    if get_origin(kind) in (Union, types.UnionType):
        rest = [one for one in get_args(kind) if one is not type(None)]
        return rest[0] if len(rest) == 1 else kind
    return kind

"""A setting: one value that a tuning profile asks for.

A profile, a run's frozen tuning, a plan's copy and the API hold settings as here; asked of a host,
a setting also says for what it is lent (apps.remote.settings).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema

SettingKindName = Literal[
    "queue", "cpu", "sysctl", "ceph", "ceph_conf", "governor", "irq", "filesystem"
]
QUEUE: SettingKindName = "queue"
CPU: SettingKindName = "cpu"
SYSCTL: SettingKindName = "sysctl"
CEPH: SettingKindName = "ceph"
CEPH_CONF: SettingKindName = "ceph_conf"
GOVERNOR: SettingKindName = "governor"
IRQ: SettingKindName = "irq"
FILESYSTEM: SettingKindName = "filesystem"
SettingScope = Literal["", "clients", "servers", "pool"]
CLIENTS: SettingScope = "clients"
SERVERS: SettingScope = "servers"
POOL: SettingScope = "pool"
SCOPES: tuple[SettingScope, ...] = ("", CLIENTS, SERVERS, POOL)
KINDS: tuple[SettingKindName, ...] = (
    QUEUE,
    CPU,
    GOVERNOR,
    IRQ,
    SYSCTL,
    CEPH,
    CEPH_CONF,
    FILESYSTEM,
)
PINNING = "pin_to_hardware_queues"


class Setting(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One setting with its value: a whole number where the setting is one, else text. `section` is
    of Ceph's configuration, empty for other kinds and where the author named none. "ceph" is set
    in the running cluster, "ceph_conf" in the ceph.conf of a pool's OSDs, which are restarted. With
    "filesystem" the disks under test carry a scratch file system, in which the tool works.

    `scope`: empty for the disks under test and every host that takes part; "clients" are
    the hosts that send load, "servers" a pair's other end, "pool" the hosts and disks of the OSDs
    behind a pool.
    """

    kind: SettingKindName
    name: str
    value: str | int
    section: str = ""
    scope: SettingScope = ""

    @property
    def key(self) -> str:
        """The key that tells it from the others of its profile: "kernel.pid_max",
        "osd/osd_op_threads", "scheduler@pool".
        """
        name = f"{self.section}/{self.name}" if self.section else self.name
        return f"{name}@{self.scope}" if self.scope else name

    @property
    def pins(self) -> bool:
        """Whether it asks for one CPU per hardware queue; nothing is lent for it."""
        return (self.kind, self.name, self.value) == (CPU, PINNING, "split")


Settings = tuple[Setting, ...]


def makes_files(settings: Iterable[Setting]) -> bool:
    """Whether a file system is made on the disks under test."""
    return any(setting.kind == FILESYSTEM for setting in settings)


STORED: VersionedSchema[Settings] = VersionedSchema(Settings)

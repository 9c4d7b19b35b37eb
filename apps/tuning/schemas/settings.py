"""A setting: one value of a tuning profile.

Profiles, tunings of runs, plans and the API store settings in this form. The agent's client adds
the devices to which a setting applies (apps.remote.host_settings).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema
from apps.remote.agent.ceph.daemon_names import DAEMON_KINDS

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
OSD_SECTION = "osd"


class Setting(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One setting with its value: a whole number, or text.

    - `kind`: "ceph" is set in the running cluster; "ceph_conf" in the ceph.conf of all daemons of
      a kind behind a pool, which are restarted; "filesystem" creates a scratch file system on the
      disks under test.
    - `section`: section of Ceph's configuration; empty for other kinds. Of "ceph_conf" the kind of
      the daemons: osd, mon or mds.
    - `scope`: empty for the disks under test and every host of the test; "clients" are the hosts
      that send load, "servers" the servers of host pairs, "pool" the OSD hosts and disks of a pool.
    """

    kind: SettingKindName
    name: str
    value: str | int
    section: str = ""
    scope: SettingScope = ""

    @property
    def key(self) -> str:
        """Return the unique key in its profile.

        Examples: "kernel.pid_max", "osd/osd_op_threads", "scheduler@pool".
        """
        name = f"{self.section}/{self.name}" if self.section else self.name
        return f"{name}@{self.scope}" if self.scope else name

    @property
    def pins(self) -> bool:
        """Return True if it requests one CPU per hardware queue; it changes no host setting."""
        return (self.kind, self.name, self.value) == (CPU, PINNING, "split")


Settings = tuple[Setting, ...]


def restarted_kinds(settings: Iterable[Setting]) -> tuple[str, ...]:
    """Return the kinds of daemons that are restarted for settings, in the order of restarting."""
    sections = {one.section or OSD_SECTION for one in settings if one.kind == CEPH_CONF}
    return tuple(kind for kind in DAEMON_KINDS if kind in sections)


def makes_files(settings: Iterable[Setting]) -> bool:
    """Return True if a file system is created on the disks under test."""
    return any(setting.kind == FILESYSTEM for setting in settings)


STORED: VersionedSchema[Settings] = VersionedSchema(Settings)

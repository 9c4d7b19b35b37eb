"""Facts as rows of label and value, for the pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common import units
from apps.common.templatetags.benchlab_format import bytes_, duration, when
from apps.inventory.contents import content_of
from apps.inventory.facts import changes
from apps.inventory.labels import network_address
from apps.inventory.models import Disk, Host, HostFacts
from apps.inventory.selectors import INSTALLABLE, fingerprint

LAB = (
    ("host_list", _lazy("Hosts")),
    ("pool_list", _lazy("Ceph pools")),
    ("group_list", _lazy("Groups")),
)
SHOWN_CHANGES = 6
SHOWN_HISTORY = 20
Row = tuple[str, Any]
Tab = tuple[str, Any, None]


@dataclass(frozen=True)
class ToolRow:
    """A tool on a host: its version, or whether benchlab can install it there."""

    name: str
    version: str
    can_install: bool


@dataclass(frozen=True)
class HistoryRow:
    """One set of facts: since when, until when, and what changed from the one before."""

    facts: HostFacts
    changes: list[tuple[str, str, str]]
    hidden: int


def lab_tabs() -> list[Tab]:
    """The lists of the lab, as tabs above each of them."""
    return [(reverse(name), label, None) for name, label in LAB]


def host_rows(host: Host) -> list[Row]:
    """What a host is and how it is reached."""
    data = host.facts.data if host.facts else {}
    cpu = data.get("cpu") or {}
    return [
        (_("Reached"), _reached(host)),
        (_("Rights"), _rights(host)),
        (_("Round trip"), duration(host.round_trip)),
        (_("Clock offset"), _offset(host.clock_offset)),
        (_("Kernel"), data.get("kernel")),
        (_("System"), data.get("distribution")),
        (_("Architecture"), data.get("architecture")),
        (_("CPU"), cpu.get("model")),
        (_("CPUs"), _cpus(cpu)),
        (_("Memory"), bytes_(data.get("memory"))),
        (_("Network"), ", ".join(_nic(nic) for nic in data.get("nics") or []) or None),
        (_("Address for network tests"), network_address(host)),
        (_("Host key"), fingerprint(host.host_key) or None),
        (_("Ceph cluster"), host.cluster_fsid or None),
    ]


def _reached(host: Host) -> str:
    if host.is_local:
        return _("benchlab's worker runs on it")
    address = f"[{host.address}]" if ":" in host.address else host.address
    place = f"{host.user}@{address}:{host.port}"
    if host.jump is None:
        return place
    return _("%(place)s through %(jump)s") % {"place": place, "jump": host.jump}


def _rights(host: Host) -> str:
    """On this machine nobody logs in: the worker is root or it is not."""
    if host.is_local and host.become == Host.Become.ROOT:
        return _("root")
    return str(host.get_become_display())


def _offset(seconds: float | None) -> str | None:
    return None if seconds is None else f"{units.significant(seconds * 1000, digits=3)} ms"


def _cpus(cpu: dict[str, Any]) -> str | None:
    if not cpu.get("count"):
        return None
    nodes = len(cpu.get("numa") or []) or 1
    return _("%(count)s in %(sockets)s socket(s), %(nodes)s NUMA node(s)") % {
        "count": cpu["count"],
        "sockets": cpu.get("sockets") or 1,
        "nodes": nodes,
    }


def _nic(nic: dict[str, Any]) -> str:
    speed = nic.get("speed")
    # sysfs gives Mbit/s, and -1 where a card does not know.
    known = isinstance(speed, int) and speed > 0
    rate = units.gbit_per_second(float(speed) * 1e6 / 8) if known and speed else ""
    places = " ".join(str(place) for place in nic.get("addresses") or [])
    return " ".join(str(part) for part in (nic.get("name"), places, rate) if part)


def tool_rows(host: Host) -> list[ToolRow]:
    """Every tool benchlab drives, as the last check found it."""
    tools = (host.facts.data.get("tools") if host.facts else None) or {}
    installers = host.facts.data.get("installers") if host.facts else None
    may = bool(installers) and host.become != Host.Become.USER and host.enabled
    return [
        ToolRow(name, str(version or ""), may and not version and name in INSTALLABLE)
        for name, version in sorted(tools.items())
    ]


def loan_rows(host: Host) -> list[dict[str, Any]]:
    """What the host could not give back, with times instead of seconds."""
    return [
        loan | {"since": loan.get("since") and datetime.fromtimestamp(loan["since"], UTC)}
        for loan in host.open_loans
    ]


def disk_rows(disk: Disk) -> list[Row]:
    """What a disk is."""
    data = disk.data
    return [
        (_("Identity"), disk.identity),
        (_("Last seen as"), disk.node or _("not there at the last check")),
        (_("Last seen"), when(disk.seen_at)),
        (_("Size"), bytes_(disk.size)),
        (_("Model"), disk.model),
        (_("Serial"), disk.serial),
        (_("Firmware"), data.get("firmware")),
        (_("Kind"), _kind(disk)),
        (_("Blocks"), _blocks(data)),
        (_("Mounted at"), ", ".join(map(str, data.get("mounts") or [])) or _("nowhere")),
        (_("Held by"), ", ".join(map(str, data.get("holders") or [])) or _("nothing")),
        (_("Signatures"), ", ".join(map(str, data.get("signatures") or [])) or _("none")),
        (_("What must be on it"), _content(disk)),
    ]


def _content(disk: Disk) -> str | None:
    """What a test that writes must find; nothing for a disk that is not enrolled."""
    words = {
        "": _("not looked at yet"),
        "enrolment": _("what was there when it was enrolled"),
        "test": _("what the last test left"),
        "unfinished": _("anything: the last test did not get to its end"),
    }
    return words[content_of(disk.fingerprint)] if disk.is_enrolled else None


def queue_rows(disk: Disk) -> list[Row]:
    """The block queue's settings as the last check found them."""
    queue = disk.last_queue()
    schedulers = " ".join(
        f"[{name}]" if name == queue.get("scheduler") else str(name)
        for name in queue.get("schedulers") or []
    )
    rows: list[Row] = [
        (name, value)
        for name, value in sorted(queue.items())
        if name not in ("scheduler", "schedulers")
    ]
    hardware = len(disk.data.get("hardware_queues") or [])
    scheduler = schedulers or queue.get("scheduler")
    return [("scheduler", scheduler), *rows, (_("hardware queues"), hardware)]


def _kind(disk: Disk) -> str:
    turning = _("rotational") if disk.rotational else _("not rotational")
    return f"{disk.kind}, {turning}" if disk.kind else turning


def _blocks(data: dict[str, Any]) -> str | None:
    logical, physical = data.get("logical_block"), data.get("physical_block")
    if not logical:
        return None
    return _("%(logical)s B logical, %(physical)s B physical") % {
        "logical": logical,
        "physical": physical or logical,
    }


def facts_history(host: Host) -> list[HistoryRow]:
    """The newest sets of facts, each with what changed since the one before."""
    rows = list(host.facts_history.order_by("-id")[: SHOWN_HISTORY + 1])
    shown = []
    for newer, older in pairwise([*rows, None]):
        if newer is not None:
            told = changes(older.data, newer.data) if older else []
            hidden = max(0, len(told) - SHOWN_CHANGES)
            shown.append(HistoryRow(newer, told[:SHOWN_CHANGES], hidden))
    return shown[:SHOWN_HISTORY]

"""Facts of hosts and disks as rows of label and value."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common.domain import units
from apps.common.templatetags.benchlab_format import bytes_, duration, when
from apps.inventory.domain.facts import changes
from apps.inventory.domain.fingerprints import content_status
from apps.inventory.models import Disk, Host, HostFacts
from apps.inventory.schemas.host_facts import Cpu, KnownDisk, NetworkCard, Smart
from apps.inventory.schemas.unrestored_settings import UnrestoredSetting
from apps.inventory.selectors.inventory import INSTALLABLE, fingerprint
from apps.inventory.selectors.labels import network_address

LAB = (
    ("host_list", _lazy("Hosts")),
    ("disk_list", _lazy("Disks")),
    ("fleet_disks", _lazy("Fleet")),
    ("disk_model_list", _lazy("Disk models")),
    ("catalogue_list", _lazy("Catalogue")),
    ("wear", _lazy("Wear")),
    ("acceptance_list", _lazy("Acceptances")),
    ("pool_list", _lazy("Ceph pools")),
    ("group_list", _lazy("Groups")),
)
SHOWN_CHANGES = 6
SHOWN_HISTORY = 20
DefinitionRow = tuple[str, Any]
Tab = tuple[str, Any, None]


@dataclass(frozen=True)
class ToolRow:
    """A tool on a host: its version, or whether benchlab can install it there."""

    name: str
    version: str
    can_install: bool


@dataclass(frozen=True)
class HistoryRow:
    """One set of facts: first and last seen, and the changes from the one before."""

    facts: HostFacts
    changes: list[tuple[str, str, str]]
    hidden: int


def lab_tabs() -> list[Tab]:
    """Return the tabs above the lists of hosts and targets."""
    return [(reverse(name), label, None) for name, label in LAB]


def host_rows(host: Host) -> list[DefinitionRow]:
    """Return rows about a host and its connection."""
    facts = host.known
    return [
        (_("Reached"), _reached(host)),
        (_("Rights"), _rights(host)),
        (_("Round trip"), duration(host.round_trip_seconds)),
        (_("Clock offset"), _offset(host.clock_offset)),
        (_("Kernel"), facts.kernel),
        (_("System"), facts.distribution),
        (_("Architecture"), facts.architecture),
        (_("CPU"), facts.cpu.model),
        (_("CPUs"), _cpus(facts.cpu)),
        (_("Memory"), bytes_(facts.memory)),
        (_("Network"), ", ".join(_nic(nic) for nic in facts.nics) or None),
        (_("Address for network tests"), network_address(host)),
        (_("Host key"), fingerprint(host.host_key) or None),
        (_("Ceph cluster"), host.cluster.fsid if host.cluster else None),
    ]


def _reached(host: Host) -> str:
    if host.is_local:
        return _("benchlab's worker runs on it")
    address = f"[{host.address}]" if ":" in host.address else host.address
    login = f"{host.user}@{address}:{host.port}"
    if host.jump is None:
        return login
    return _("%(login)s through %(jump)s") % {"login": login, "jump": host.jump}


def _rights(host: Host) -> str:
    """Return the rights of the login; on this machine those of the worker."""
    if host.is_local and host.privilege_mode == Host.PrivilegeMode.ROOT:
        return _("root")
    return str(host.get_privilege_mode_display())


def _offset(seconds: float | None) -> str | None:
    return None if seconds is None else f"{units.significant(seconds * 1000, digits=3)} ms"


def _cpus(cpu: Cpu) -> str | None:
    if not cpu.count:
        return None
    nodes = len(cpu.numa) or 1
    return _("%(count)s in %(sockets)s socket(s), %(nodes)s NUMA node(s)") % {
        "count": cpu.count,
        "sockets": cpu.sockets or 1,
        "nodes": nodes,
    }


def _nic(card: NetworkCard) -> str:
    # sysfs has Mbit/s, and -1 if the card does not report it.
    rate = units.gbit_per_second(card.speed * 1e6 / 8) if card.speed and card.speed > 0 else ""
    return " ".join(part for part in (card.name, " ".join(card.addresses), rate) if part)


def tool_rows(host: Host) -> list[ToolRow]:
    """Return every program that benchlab runs on hosts, with the version at the last check."""
    tools = host.known.tools or {}
    may = (
        bool(host.known.installers)
        and host.privilege_mode != Host.PrivilegeMode.USER
        and host.enabled
    )
    return [
        ToolRow(name, str(version or ""), may and not version and name in INSTALLABLE)
        for name, version in sorted(tools.items())
    ]


@dataclass(frozen=True)
class UnrestoredRow:
    """Unrestored settings of one attempt."""

    attempt: str
    since: datetime | None
    why: str
    settings: list[UnrestoredSetting]
    case: int | None


def unrestored_rows(host: Host) -> list[UnrestoredRow]:
    """Return the host's unrestored settings, with datetimes instead of seconds."""
    return [
        UnrestoredRow(
            row["attempt"],
            datetime.fromtimestamp(row["since"], UTC) if row["since"] else None,
            row["why"],
            row["settings"],
            row.get("case"),
        )
        for row in host.unrestored_settings
    ]


def disk_rows(disk: Disk) -> list[DefinitionRow]:
    """Return rows about a disk."""
    seen = disk.known
    return [
        (_("Identity"), disk.identity),
        (_("Last seen as"), disk.device_path or _("not there at the last check")),
        (_("Last seen"), when(disk.last_seen_at)),
        (_("Size"), bytes_(disk.size)),
        (_("Model"), disk.model_name),
        (_("Serial"), disk.serial),
        *([(_("Tags"), ", ".join(disk.tags))] if disk.tags else ()),
        (_("Firmware"), seen.firmware),
        *([(_("Slot"), seen.bay)] if seen.bay else ()),
        (_("Kind"), _kind(disk)),
        *smart_rows(seen.smart),
        (_("Blocks"), _blocks(seen)),
        (_("Mounted at"), ", ".join(seen.mounts) or _("nowhere")),
        *([(_("Paths"), _paths(seen))] if seen.paths else ()),
        *([(_("Fabric"), seen.fabric.text)] if seen.fabric.text else ()),
        (_("Held by"), ", ".join(seen.holders) or _("nothing")),
        (_("Signatures"), ", ".join(seen.signatures) or _("none")),
        (_("What must be on it"), _content(disk)),
        (_("Prepared"), _prepared(disk)),
    ]


def _paths(seen: KnownDisk) -> str:
    """Return the paths of a multipath disk with their states."""
    return ", ".join(f"{path.name} {path.state}".strip() for path in seen.paths)


def smart_rows(smart: Smart) -> list[DefinitionRow]:
    """Return rows about a disk's wear, as far as it reports any."""
    if smart == Smart():
        return []
    rows = [
        (_("Wear"), wear_words(smart)),
        (_("Written in its life"), bytes_(smart.written) if smart.written is not None else None),
        (_("Powered on"), _("%d h") % smart.hours if smart.hours is not None else None),
        (_("Temperature"), f"{smart.degrees} °C" if smart.degrees is not None else None),
        (_("Media errors"), smart.media_errors),
    ]
    return [row for row in rows if row[1] is not None]


def wear_words(smart: Smart) -> str | None:
    """Return e.g. "5 % used, 100 % spare (percentage_used); it says that it is failing"."""
    parts = [
        _("%d %% used") % smart.used if smart.used is not None else "",
        _("%d %% spare") % smart.spare if smart.spare is not None else "",
        _("the disk reports that it is failing") if smart.passed is False else "",
    ]
    words = ", ".join(word for word in parts if word)
    return f"{words} ({smart.by})" if words and smart.by else words or None


def _prepared(disk: Disk) -> str | None:
    """Return the preconditioning that the disk is in."""
    if disk.preconditioning is None:
        return _("not known") if disk.is_enrolled else None
    done = Counter(f"{act.tool} {act.label}" for act in disk.preconditioning.acts)
    acts = ", ".join(f"{words} × {n}" if n > 1 else words for words, n in done.items())
    return format_html(
        _("{acts}; since {when}, by run #{run}, and nothing else was written to it"),
        acts=acts, when=when(disk.preconditioning.at), run=disk.preconditioning.run,
    )  # fmt: skip


def _content(disk: Disk) -> str | None:
    """Return the content that a writing test requires; nothing for a disk that is not enrolled."""
    words = {
        "": _("not looked at yet"),
        "enrolment": _("what was there when it was enrolled"),
        "test": _("what the last test left"),
        "unfinished": _("anything: the last test did not get to its end"),
    }
    return words[content_status(disk.fingerprint)] if disk.is_enrolled else None


def queue_rows(disk: Disk) -> list[DefinitionRow]:
    """Return the block queue's settings at the last check."""
    queue = disk.known.queue
    hardware = len(disk.known.hardware_queues)
    return [
        ("scheduler", queue.scheduler_choice),
        *queue.values(),
        (_("hardware queues"), hardware),
    ]


def _kind(disk: Disk) -> str:
    turning = _("rotational") if disk.rotational else _("not rotational")
    zoned = disk.known.zoned or "none"
    zones = [_("zoned (%(model)s)") % {"model": zoned}] if zoned != "none" else []
    return ", ".join([*([disk.device_type] if disk.device_type else []), turning, *zones])


def _blocks(disk: KnownDisk) -> str | None:
    logical, physical = disk.logical_block, disk.physical_block
    if not logical:
        return None
    return _("%(logical)s B logical, %(physical)s B physical") % {
        "logical": logical,
        "physical": physical or logical,
    }


def facts_history(host: Host) -> list[HistoryRow]:
    """Return the newest sets of facts, each with its changes from the one before."""
    rows = list(host.facts_history.order_by("-id")[: SHOWN_HISTORY + 1])
    shown = []
    for newer, older in pairwise([*rows, None]):
        if newer is not None:
            differing = changes(older.facts, newer.facts) if older else []
            hidden = max(0, len(differing) - SHOWN_CHANGES)
            shown.append(HistoryRow(newer, differing[:SHOWN_CHANGES], hidden))
    return shown[:SHOWN_HISTORY]

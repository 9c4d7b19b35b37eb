"""What a list of disks to enrol would do, row by row, before anything is stored."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.inventory.domain.disk_lists import (
    DiskRow,
    damage_text,
    near_text,
    read_disk_list,
    same_wwn,
)
from apps.inventory.domain.host_lists import ListError, short
from apps.inventory.models import Disk, Host
from apps.inventory.selectors.host_identity import WWN

ENROL = "enrol"
ENROLLED = "enrolled"
NOT_REPORTED = "not_reported"
REFUSED = "refused"
STATES = (ENROL, ENROLLED, NOT_REPORTED, REFUSED)


@dataclass
class PlannedDisk:
    """A row of the list and the disk that it names.

    `errors`: why it is not enrolled. `token`: changes with everything that is shown.
    """

    listed: DiskRow
    state: str = REFUSED
    disk: Disk | None = None
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    token: str = ""


@dataclass(frozen=True)
class DiskListPlan:
    """All rows in the list's order. `notes`: what of the text is not used."""

    rows: list[PlannedDisk]
    notes: list[str]

    def count(self, state: str) -> int:
        return sum(row.state == state for row in self.rows)


def plan_disks(text: str) -> DiskListPlan:
    """Compare a list with the disks that the hosts reported at their last checks.

    Raises: ServiceError (400) if nothing of the list can be read.
    """
    try:
        listed = read_disk_list(text)
    except ListError as error:
        raise ServiceError(str(error), {"text": str(error)}, status=400) from error
    planner = _Planner(listed.rows)
    rows = [planner.plan(row) for row in listed.rows]
    _refuse_doubles(rows)
    for row in rows:
        row.token = _token(row)
    return DiskListPlan(rows, listed.notes)


class _Planner:
    """The hosts and disks that rows are compared with, read once."""

    def __init__(self, listed: list[DiskRow]) -> None:
        names = {row.host for row in listed}
        self.hosts = {host.name: host for host in Host.objects.filter(name__in=names)}
        self.disks: dict[int, list[Disk]] = defaultdict(list)
        rows = Disk.objects.filter(host__in=self.hosts.values()).select_related("host", "model")
        for disk in rows.order_by("pk"):
            self.disks[disk.host_id].append(disk)
        identities = {disk.identity for disk in rows if disk.identity.startswith(WWN)}
        self.twins: dict[str, list[Disk]] = defaultdict(list)
        others = Disk.objects.filter(identity__in=identities).exclude(device_path="")
        for disk in others.select_related("host"):
            self.twins[disk.identity].append(disk)

    def plan(self, listed: DiskRow) -> PlannedDisk:
        row = PlannedDisk(listed, errors=list(listed.errors))
        if row.errors:
            return row
        host = self.hosts.get(listed.host)
        if host is None:
            row.errors.append(_("There is no host “%(name)s”.") % {"name": short(listed.host)})
            return row
        if not host.is_reachable_kind:
            text = _("%(name)s is only in the archive: benchlab does not reach it.")
            row.errors.append(text % {"name": host.name})
            return row
        self._find(row, host)
        if row.disk is not None:
            self._judge(row, row.disk)
        return row

    def _find(self, row: PlannedDisk, host: Host) -> None:
        """Set the one disk that the row names, or the state and why there is none."""
        listed, disks = row.listed, self.disks[host.pk]
        matching = [disk for disk in disks if _is_named(disk, listed)]
        present = [disk for disk in matching if disk.device_path]
        if len(present) == 1:
            row.disk = present[0]
            return
        if len(present) > 1:
            text = _("Several devices of the host match: %(devices)s. Add the WWN of one of them.")
            devices = ", ".join(disk.device_path for disk in present)
            row.errors.append(text % {"devices": short(devices)})
            return
        if why := _difference(listed, disks):
            row.errors.append(why)
            return
        row.state = NOT_REPORTED
        if matching:
            row.errors.append(_("It was not there when the host was last checked."))
        elif host.checked_at is None:
            row.errors.append(_("The host was not checked yet."))
        else:
            row.errors.append(_("The host reports no disk with this serial."))

    def _judge(self, row: PlannedDisk, disk: Disk) -> None:
        """Set the state of a row whose disk is there."""
        twins = [one for one in self.twins[disk.identity] if one.host_id != disk.host_id]
        row.errors += _model_fault(row.listed, disk)
        row.errors += disk.enrolment_obstacles()
        may_go = not row.errors
        if data := data_obstacles(disk):
            row.errors += data
            hint = _("If it may go, enrol the disk on its own page.")
            row.errors += [hint] if may_go else []
        if not disk.is_distinct_device:
            row.errors += _twin_faults(twins)
        if disk.is_enrolled:
            row.state = ENROLLED
            row.errors = []
            if disk.content_changed:
                row.notes.append(_("Its content has changed. Confirm it on the page of the disk."))
        elif not row.errors:
            row.state = ENROL
        if twins:
            names = ", ".join(sorted(one.host.name for one in twins))
            row.notes.append(
                _("Other hosts show this device as well: %(names)s.") % {"names": short(names)}
            )


def data_obstacles(disk: Disk) -> list[str]:
    """Return what a disk holds that a list must not destroy.

    A list is stricter than the page of a disk: nobody looks at each disk that it names.
    """
    seen = disk.known
    names = ", ".join(one.name for one in seen.partitions)
    kinds = ", ".join(seen.signatures)
    reasons = []
    if names:
        reasons.append(_("It has partitions: %(names)s.") % {"names": short(names)})
    if kinds:
        reasons.append(_("It has data of: %(kinds)s.") % {"kinds": short(kinds)})
    return reasons


def _is_named(disk: Disk, listed: DiskRow) -> bool:
    """Return True if serial and WWN, where the row gives them, are those of the disk."""
    if listed.serial and listed.serial != disk.serial:
        return False
    return not listed.wwn or same_wwn(listed.wwn, _wwn_of(disk))


def _wwn_of(disk: Disk) -> str:
    own = disk.identity if disk.identity.startswith(WWN) else ""
    return own or disk.known.wwn or ""


def _difference(listed: DiskRow, disks: list[Disk]) -> str:
    """Return how the row differs from what the host reports, "" if nothing is near."""
    same = [disk for disk in disks if listed.serial and disk.serial == listed.serial]
    if same and listed.wwn:
        values = {"reported": short(_wwn_of(same[0])) or "–"}
        return _("The host reports another WWN for this serial: %(reported)s.") % values
    if same or not listed.serial:
        return ""
    reported = [disk.serial for disk in disks if disk.serial]
    return damage_text(listed.serial) or near_text(listed.serial, reported)


def _model_fault(listed: DiskRow, disk: Disk) -> list[str]:
    if not listed.model or _plain(listed.model) == _plain(disk.model_name):
        return []
    text = _("The host reports another model: %(model)s.")
    return [text % {"model": short(disk.model_name) or "–"}]


def _plain(model: str) -> str:
    return " ".join(model.replace("_", " ").split()).casefold()


def _twin_faults(twins: list[Disk]) -> list[str]:
    """Return the obstacles of the same device on other hosts."""
    text = _("%(host)s shows this device as well: %(why)s")
    return [
        text % {"host": one.host.name, "why": " ".join(obstacles)}
        for one in twins
        if not one.is_distinct_device
        and (obstacles := one.enrolment_obstacles() + data_obstacles(one))
    ]


def _refuse_doubles(rows: list[PlannedDisk]) -> None:
    """Refuse each further row of a disk."""
    first: dict[int, int] = {}
    for row in rows:
        if row.disk is None:
            continue
        line = first.setdefault(row.disk.pk, row.listed.line)
        if line != row.listed.line:
            row.state = REFUSED
            row.errors = [_("Line %(line)d names this disk already.") % {"line": line}]


def _token(row: PlannedDisk) -> str:
    disk = row.disk
    seen = (disk.pk, disk.identity, disk.size, disk.device_path, disk.model_name) if disk else ()
    parts = (row.state, row.listed.host, row.listed.note, seen, row.errors)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

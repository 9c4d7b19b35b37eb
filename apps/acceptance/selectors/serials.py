"""Disks of a pasted list: serials one a line, or CSV with the columns host and serial."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.inventory.domain.disk_lists import MAX_DISKS, damage_text, near_text
from apps.inventory.domain.host_lists import short
from apps.inventory.domain.host_lists.decode import unify
from apps.inventory.models import Disk, Host
from apps.inventory.selectors.disk_list_plan import ENROLLED, plan_disks

MAX_LIST_LENGTH = 200_000
SHOWN_FAULTS = 5


def disks_of_list(text: str, hosts: Sequence[Host]) -> list[Disk]:
    """Return the enrolled disks that a list names. `hosts`: of plain serials; none: all hosts.

    Raises: ServiceError (400) with the first faults. No disk is taken from a list with a fault.
    """
    first = text.strip().split("\n", 1)[0].casefold()
    rows, faults = _of_table(text) if "serial" in first else _of_serials(text, hosts)
    if faults:
        message = " ".join(faults[:SHOWN_FAULTS])
        raise ServiceError(message, {"serials": message}, status=400)
    return rows


def _of_table(text: str) -> tuple[list[Disk], list[str]]:
    rows, faults = [], []
    for row in plan_disks(text).rows:
        if row.disk is not None and row.state == ENROLLED:
            rows.append(row.disk)
        else:
            reasons = " ".join(row.errors) or _not_enrolled(row.listed.serial)
            faults.append(_line(row.listed.line, reasons))
    return rows, faults


def _of_serials(text: str, hosts: Sequence[Host]) -> tuple[list[Disk], list[str]]:
    known = Disk.objects.exclude(device_path="").exclude(serial="").select_related("host", "model")
    if hosts:
        known = known.filter(host__in=list(hosts))
    by_serial: dict[str, list[Disk]] = {}
    for disk in known:
        by_serial.setdefault(disk.serial, []).append(disk)
    rows: dict[int, Disk] = {}
    faults: list[str] = []
    for number, line in enumerate(unify(text).splitlines()[: MAX_DISKS + 1], 1):
        serial = line.strip()
        if not serial:
            continue
        if fault := _fault(serial, by_serial):
            faults.append(_line(number, fault))
        else:
            disk = by_serial[serial][0]
            rows[disk.pk] = disk
    return list(rows.values()), faults


def _fault(serial: str, by_serial: dict[str, list[Disk]]) -> str:
    """Return why a serial names no enrolled disk; empty if it names one."""
    matching = by_serial.get(serial, [])
    if not matching:
        unknown = _("No host reports the serial “%(serial)s”.") % {"serial": short(serial)}
        return damage_text(serial) or near_text(serial, by_serial) or unknown
    if len(matching) > 1:
        text = _("Several disks have the serial “%(serial)s”: give host and serial.")
        return text % {"serial": short(serial)}
    return "" if matching[0].is_enrolled else _not_enrolled(serial)


def _not_enrolled(serial: str) -> str:
    text = _("“%(serial)s” is not enrolled as expendable. Enrol it first.")
    return text % {"serial": short(serial)}


def _line(number: int, reason: str) -> str:
    return _("Line %(line)d: %(reason)s") % {"line": number, "reason": reason}

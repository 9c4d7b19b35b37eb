"""Enrolment of the disks of a list: all selected rows or none."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.common.errors import ServiceError
from apps.inventory.models import Disk
from apps.inventory.selectors.disk_list_plan import ENROL, ENROLLED, PlannedDisk, plan_disks
from apps.inventory.services.asking import check_ask
from apps.inventory.services.disks import enrol_locked
from apps.inventory.services.owned_rows import require_reachable

SHOWN_FAULTS = 20


@transaction.atomic
def disks_enrol_listed(
    *,
    user: User,
    text: str,
    confirmation: str,
    lines: Collection[int] | None = None,
    tokens: Mapping[int, str] | None = None,
) -> list[Disk]:
    """Enrol the disks of a list, or of its rows on these lines, as `disk_enrol` does each.

    `confirmation`: the number of disks, typed. `tokens`: what the preview showed of each line.
    Raises: ServiceError (400) for a wrong number or a row that cannot be enrolled, (409) for a row
    that differs from its preview; PermissionDenied below disk owner. Then no disk is enrolled.
    """
    require_role(user, Role.DISK_OWNER)
    keys = {row.disk.pk for row in plan_disks(text).rows if row.disk}
    # Locked in one order, then compared again: a check cannot change them between.
    list(Disk.objects.select_for_update(of=("self",)).filter(pk__in=keys).order_by("pk"))
    rows = _chosen(plan_disks(text).rows, lines)
    if _differs(rows, tokens, keys):
        raise ServiceError(
            _("A row differs from the preview, because the list or a disk changed. Look again.")
        )
    _require_usable(rows)
    if confirmation.strip() != str(len(rows)):
        message = _("Type the number of disks that are enrolled: %(count)d.") % {"count": len(rows)}
        raise ServiceError(message, {"confirm": message}, status=400)
    return _enrol(rows, user)


def _differs(
    rows: list[PlannedDisk], tokens: Mapping[int, str] | None, locked: Collection[int]
) -> bool:
    if any(row.disk and row.disk.pk not in locked for row in rows):
        return True
    return tokens is not None and any(tokens.get(row.listed.line) != row.token for row in rows)


def _chosen(rows: list[PlannedDisk], lines: Collection[int] | None) -> list[PlannedDisk]:
    """Return the rows of the lines; without lines all but those that are enrolled already."""
    if lines is None:
        chosen = [row for row in rows if row.state != ENROLLED]
    else:
        wanted = set(lines)
        chosen = [row for row in rows if row.listed.line in wanted]
        missing = wanted - {row.listed.line for row in rows}
        if missing:
            text = _("The list has no disk on line %(line)d.") % {"line": min(missing)}
            raise ServiceError(text, {"lines": text}, status=400)
    if not chosen:
        raise ServiceError(_("No disk is selected."), status=400)
    return chosen


def _require_usable(rows: list[PlannedDisk]) -> None:
    faults = [
        _("Line %(line)d: %(why)s") % {"line": row.listed.line, "why": _why(row)}
        for row in rows
        if row.state != ENROL
    ]
    if faults:
        text = _("Rows that cannot be used: %(count)d. No disk is enrolled.")
        message = text % {"count": len(faults)}
        raise ServiceError(message, {"rows": faults[:SHOWN_FAULTS]}, status=400)


def _why(row: PlannedDisk) -> str:
    return " ".join(row.errors) or _("It is enrolled already.")


def _enrol(rows: list[PlannedDisk], user: User) -> list[Disk]:
    disks: list[Disk] = []
    for row in rows:
        assert row.disk is not None, "a row to enrol has a disk"
        require_reachable(row.disk.host)
        listed = {"line": row.listed.line, "serial": row.listed.serial, "note": row.listed.note}
        enrol_locked(row.disk, user, listed)
        disks.append(row.disk)
    hosts = {disk.host_id: disk.host for disk in disks if disk.host.enabled}
    for _pk, host in sorted(hosts.items()):
        check_ask(host)
    return disks

"""Target groups: disks or directories that one case uses together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import Directory, Disk, GroupMember, TargetGroup
from apps.inventory.services.owned_rows import owned_delete, require_team

MIN_MEMBERS, MAX_MEMBERS = 2, 256


@dataclass(frozen=True)
class GroupDraft:
    """The editable fields of a group. Members have their hosts loaded."""

    name: str
    members: Sequence[GroupMember] = ()
    team: Team | None = None
    level: str = ""


@transaction.atomic
def group_save(*, user: User, draft: GroupDraft, group: TargetGroup | None = None) -> TargetGroup:
    """Create or change a group, for runs launched from now on; runs keep their members.

    Raises: ServiceError (400) with the invalid fields; PermissionDenied below operator.
    """
    if group is None:
        require_role(user, Role.OPERATOR)
        return _save(TargetGroup(owner=user), user, draft, "create")
    return _save(lock_editable(group, user), user, draft, "change")


@transaction.atomic
def group_delete(*, group: TargetGroup, user: User) -> None:
    """Delete the group; its disks and directories stay.

    Raises: ServiceError while plans or runs use it.
    """
    owned_delete(group, user, in_use=_("Plans or runs use this group, so it stays."))


def _save(group: TargetGroup, user: User, draft: GroupDraft, verb: str) -> TargetGroup:
    require_team(group, user, draft.team)
    group.name, group.team, group.level = draft.name.strip(), draft.team, draft.level
    try:
        group.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    fault = members_fault(draft.members)
    if fault:
        raise ServiceError(fault, {"members": fault}, status=400)
    group.save()
    group.disks.set([row for row in draft.members if isinstance(row, Disk)])
    group.directories.set([row for row in draft.members if isinstance(row, Directory)])
    names = [str(row) for row in draft.members]
    audit_record(user=user, action=verb, subject=group, members=names, level=draft.level)
    names_touch()
    return group


def members_fault(members: Sequence[GroupMember]) -> str:
    """Return why one case cannot use these together, as a sentence; "" if it can."""
    if len(members) < MIN_MEMBERS:
        return _("A group has at least two disks or directories.")
    if len(members) > MAX_MEMBERS:
        return _("A group has at most %(most)d members.") % {"most": MAX_MEMBERS}
    if len({type(row) for row in members}) > 1:
        return _("A group has either disks or directories, not both: no test uses both at once.")
    return _archive_fault(members) or _twice(members)


def _archive_fault(members: Sequence[GroupMember]) -> str:
    absent = sorted(row.host.name for row in members if not row.host.is_reachable_kind)
    words = _("%(name)s is only in the archive: no test runs on it.")
    return words % {"name": absent[0]} if absent else ""


def _twice(members: Sequence[GroupMember]) -> str:
    """Return which members are one device or directory, seen through several hosts; "" if none."""
    devices: dict[tuple[str, ...], list[GroupMember]] = {}
    for row in members:
        devices.setdefault(_device_key(row), []).append(row)
    same = next((rows for rows in devices.values() if len(rows) > 1), None)
    if same is None:
        return ""
    names = ", ".join(str(row) for row in same)
    return _("These are one and the same: %(names)s.") % {"names": names}


def _device_key(row: GroupMember) -> tuple[str, ...]:
    """Return the name of a disk or directory, independent of its host entry."""
    if isinstance(row, Disk):
        return ("disk", row.identity)
    return ("directory", row.host.known.machine_id or str(row.host_id), row.path)

"""Arrays of which disks consist."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.schemas.versioned_json import SchemaError
from apps.common.services import names_touch
from apps.inventory.models import Disk
from apps.inventory.schemas.backing_arrays import BACKING, MIN_DISKS, BackingArray


@transaction.atomic
def disk_backing_set(*, disk: Disk, user: User, values: Mapping[str, object] | None) -> Disk:
    """Set the array of a disk; None: what the host reports applies.

    Raises: PermissionDenied below disk owner; ServiceError (400) for an impossible array.
    """
    require_role(user, Role.DISK_OWNER)
    disk = Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    disk.backing = None if values is None else _checked(values)
    disk.save(update_fields=["backing", "updated_at"])
    array = None if disk.backing is None else BACKING.plain(disk.backing)
    audit_record(user=user, action="change", subject=disk, backing=array)
    names_touch()
    return disk


def _checked(values: Mapping[str, object]) -> BackingArray:
    try:
        array = BACKING.checked(dict(values))
    except SchemaError as error:
        raise ServiceError(_("This is no array: {why}").format(why=error), status=400) from error
    minimum = MIN_DISKS[array.level]
    if array.disks < minimum:
        text = _("This level needs at least {n} disks.").format(n=minimum)
        raise ServiceError(text, {"disks": text}, status=400)
    if array.level == "raid10" and array.disks % 2:
        text = _("RAID 10 needs an even number of disks.")
        raise ServiceError(text, {"disks": text}, status=400)
    return array

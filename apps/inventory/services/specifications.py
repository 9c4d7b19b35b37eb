"""Expectations of disks, as people say them."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import Disk, DiskSpecification

EXPECTED = ("sla_iops", "sla_bandwidth", "seek_ms", "rotation_ms", "transfer_ms")


@transaction.atomic
def disk_specification_set(
    *, disk: Disk, user: User, values: Mapping[str, float | None]
) -> DiskSpecification:
    """Say what a disk is expected to do: a value for each of EXPECTED, None for "nobody knows".

    Raises PermissionDenied below disk owner, ServiceError (400) for a value that cannot be.
    """
    require_role(user, Role.DISK_OWNER)
    # The later one of two concurrent changes stands.
    Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    row = DiskSpecification.objects.filter(disk=disk).first() or DiskSpecification(disk=disk)
    for name in EXPECTED:
        setattr(row, name, values.get(name))
    try:
        row.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    row.save()
    audit_record(user=user, action="change", subject=disk, specification=dict(values))
    names_touch()
    return row

"""Disk models and specified figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import Disk, DiskModel, DiskSpecification
from apps.inventory.schemas.specifications import FIGURES

_Specified = TypeVar("_Specified", DiskModel, DiskSpecification)


def disk_model_ensure(*, name: str, rotational: bool) -> DiskModel | None:
    """Return the row of a disk model; create it for the first disk. None: a disk without one."""
    if not name:
        return None
    defaults = {"rotational": rotational}
    return DiskModel.objects.get_or_create(name=name, defaults=defaults)[0]


@transaction.atomic
def disk_model_update(
    *,
    model: DiskModel,
    user: User,
    values: Mapping[str, float | None],
    vendor: str | None = None,
) -> DiskModel:
    """Set the figures of a disk model, for all its disks, and the vendor if given.

    Raises: PermissionDenied below disk owner; ServiceError (400) for an invalid figure.
    """
    require_role(user, Role.DISK_OWNER)
    model = DiskModel.objects.select_for_update().get(pk=model.pk)
    model.vendor = model.vendor if vendor is None else vendor.strip()
    return _saved(model, values, subject=model, user=user)


@transaction.atomic
def disk_specification_set(
    *, disk: Disk, user: User, values: Mapping[str, float | None]
) -> DiskSpecification:
    """Set the figures of a disk that differ from its model's; None: as the model.

    Raises: PermissionDenied below disk owner; ServiceError (400) for an invalid figure.
    """
    require_role(user, Role.DISK_OWNER)
    # The later one of two concurrent changes wins.
    Disk.objects.select_for_update(of=("self",)).get(pk=disk.pk)
    row = DiskSpecification.objects.filter(disk=disk).first() or DiskSpecification(disk=disk)
    return _saved(row, values, subject=disk, user=user)


def _saved(
    row: _Specified, values: Mapping[str, float | None], *, subject: Disk | DiskModel, user: User
) -> _Specified:
    for name in FIGURES:
        setattr(row, name, values.get(name))
    try:
        row.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    row.save()
    audit_record(user=user, action="change", subject=subject, specification=dict(values))
    names_touch()
    return row

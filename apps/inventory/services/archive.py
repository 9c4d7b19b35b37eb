"""Hosts of the archive: names from imported results."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.inventory.models import Host


@transaction.atomic
def host_archive_ensure(*, name: str, user: User) -> Host:
    """Return the host of this name that imported results belong to; create one if there is none.

    Raises: ServiceError (400) for an invalid name; PermissionDenied below operator.
    """
    require_role(user, Role.OPERATOR)
    name = name.strip()
    host = Host.objects.filter(name=name).first()
    if host is not None:
        return host
    host = Host(
        name=name, kind=Host.Kind.IMPORTED_ONLY, user="", privilege_mode=Host.PrivilegeMode.USER
    )
    try:
        host.full_clean()
    except ValidationError as error:
        text = _("A host's name has up to 64 letters, digits, dots, dashes and underscores.")
        raise ServiceError(text, {"name": text}, status=400) from error
    host.save()
    audit_record(user=user, action="create", subject=host, entry={"kind": host.kind})
    return host

"""Permission checks of the services, because commands and other apps call them without a view."""

from __future__ import annotations

from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from apps.accounts.models import OwnedModel, Team, User
from apps.accounts.permissions import lock_editable
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.inventory.models import Host


def require_team(row: OwnedModel, user: User, team: Team | None) -> None:
    """Require that the user may assign the team to `row`.

    Raises: ServiceError (400).
    """
    if message := team_fault(team, user, row):
        raise ServiceError(message, {"team": message}, status=400)


def require_reachable(host: Host) -> None:
    """Require that benchlab can connect to the host.

    Raises: ServiceError (409) for a host of the archive.
    """
    if not host.is_reachable_kind:
        message = _("%(name)s is only in the archive: benchlab does not reach it.")
        raise ServiceError(message % {"name": host.name})


def owned_delete(row: OwnedModel, user: User, *, in_use: str) -> None:
    """Delete a row that the user or their team owns.

    Raises: PermissionDenied; ServiceError (409) with the sentence `in_use` while other rows refer
    to it.
    """
    row = lock_editable(row, user)
    audit_record(user=user, action="delete", subject=row)
    try:
        row.delete()
    except ProtectedError as error:
        raise ServiceError(in_use) from error

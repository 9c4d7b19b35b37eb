"""The rights each write needs; asked here too, because commands and other apps call services
without a view.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from apps.accounts.models import OwnedModel, Team, User
from apps.accounts.permissions import not_yours
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.inventory.models import Host


def require_own(row: OwnedModel, user: User) -> None:
    """Raises PermissionDenied unless this user may change this row."""
    if not row.is_editable(user):
        raise PermissionDenied(not_yours())


def require_team(row: OwnedModel, user: User, team: Team | None) -> None:
    """Raises ServiceError (400) when `row` would be given to a team the user is not in."""
    if team != row.team and (message := team_fault(team, user)):
        raise ServiceError(message, {"team": message}, status=400)


def require_reachable(host: Host) -> None:
    """Raises ServiceError (409) for a host that is only in the archive: nothing can be done on
    it.
    """
    if not host.is_reachable_kind:
        message = _("%(name)s is only in the archive: benchlab does not reach it.")
        raise ServiceError(message % {"name": host.name})


def owned_delete(row: OwnedModel, user: User, *, in_use: str) -> None:
    """Delete a row of the user's or their team's; ServiceError (409) with the sentence `in_use`
    while something names it.
    """
    require_own(row, user)
    audit_record(user=user, action="delete", subject=row)
    try:
        row.delete()
    except ProtectedError as error:
        raise ServiceError(in_use) from error

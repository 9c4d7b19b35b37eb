"""The role each write needs; asked here too, because commands and other apps call services without
a view."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied

from apps.accounts.models import Role, User
from apps.accounts.permissions import needs_role


def require_role(user: User, role: Role) -> None:
    """Raises PermissionDenied, which says which role is needed."""
    if not user.has_role(role):
        raise PermissionDenied(needs_role(role))

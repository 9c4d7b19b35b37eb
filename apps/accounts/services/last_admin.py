"""benchlab always has an active admin."""

from __future__ import annotations

from apps.accounts.models import Role, User
from apps.common.database.locks import advisory_lock


def is_last_admin(user: User) -> bool:
    """Return True if no other active user is an admin; in a transaction.

    The lock lasts until its end, so that two admins do not lose the role at the same time.
    """
    advisory_lock("the last admin")
    admins = User.objects.filter(role=Role.ADMIN, is_active=True)
    return {row.pk for row in admins} == {user.pk}

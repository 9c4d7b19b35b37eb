"""Sessions in the database, as Django keeps them, read by a query that is written out and brings
the row of the session's user with it: every request asks for both, and Django takes longer to put
each question together than PostgreSQL to answer it.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

from apps.accounts.models import User
from apps.common.database.written import columns_of, row_of

SESSION = f"""
SELECT s.session_data, {columns_of(User, "u")}
FROM django_session s LEFT JOIN accounts_user u ON u.id = %s
WHERE s.session_key = %s AND s.expire_date > %s
""".strip()
MOST = 4_096
"""Sessions that a process knows."""
# By key, the user whom a session named when it was last read: whose row is asked for beside it.
_users: dict[str, int] = {}


# The signature of a session's data holds the name of its class: with another one nobody would be
# logged in any more.
class SessionStore(db.SessionStore):
    beside: User | None = None
    """The row that came with the session. Only apps.accounts.sessions says whether it is its
    user's.
    """

    def load(self) -> dict[str, Any]:
        """The session's data while it lasts; one that has ended, or never was, is forgotten."""
        key = str(self.session_key)
        with connection.cursor() as cursor:
            cursor.execute(SESSION, [_users.get(key), key, timezone.now()])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        stored, *values = row
        self.beside = row_of(User, values)
        said: dict[str, Any] = self.decode(stored)
        _remember(key, str(said.get(SESSION_KEY, "")))
        return said


def _remember(key: str, user: str) -> None:
    if len(_users) >= MOST:
        _users.clear()
    if user.isdecimal():
        _users[key] = int(user)

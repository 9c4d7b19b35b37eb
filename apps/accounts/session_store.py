"""Sessions in the database, as Django keeps them, read by a query that is written out: every
request asks it, and Django takes three times as long to put it together as PostgreSQL to answer.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

SESSION = """
SELECT session_data, expire_date FROM django_session
WHERE session_key = %s AND expire_date > %s
""".strip()


# The signature of a session's data holds the name of its class: with another one nobody would be
# logged in any more.
class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Any:
        """The session's row while it lasts; None where there is none, which is then forgotten."""
        key = str(self.session_key)
        with connection.cursor() as cursor:
            cursor.execute(SESSION, [key, timezone.now()])
            row = cursor.fetchone()
        if row is not None:
            return self.model(key, *row)
        self._session_key = None
        return None

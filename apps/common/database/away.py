"""Whether an error says that the database is away, full or out of connections, and what people are
told then.
"""

from __future__ import annotations

from django.db import Error, InterfaceError, OperationalError
from django.utils.translation import gettext as _

RETRY_SECONDS = 5  # Retry-After: a restart of the database takes about as long
# Classes of SQLSTATE (PostgreSQL's manual, appendix A): connection, resources, operator, system.
CLASSES = ("08", "53", "57P", "58")
# A server that only reads, as after a failover; a table that a restore or a migration has removed.
FOR_NOW = ("25006", "42P01")


def database_is_away(error: BaseException) -> bool:
    """True where asking again later may do; a deadlock or a statement that ran too long is not
    meant.
    """
    state = getattr(error.__cause__, "sqlstate", None)
    if isinstance(error, Error) and state in FOR_NOW:
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return state is None or str(state).startswith(CLASSES)


def away_sentence() -> str:
    """For whoever asked."""
    return _(
        "The database does not answer at the moment. Nothing is lost: running tests go on, and "
        "this page works again when the database does. Try again in a few seconds."
    )

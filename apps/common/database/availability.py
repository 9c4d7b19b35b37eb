"""Classify database errors as unavailable: down, full or out of connections."""

from __future__ import annotations

from django.db import Error, InterfaceError, OperationalError
from django.utils.translation import gettext as _

RETRY_SECONDS = 5  # Retry-After in seconds: about a restart of the database
# SQLSTATE classes (PostgreSQL manual, appendix A): connection, resources, operator, system.
CLASSES = ("08", "53", "57P", "58")
# Read-only server, as after a failover; table missing during a restore or migration.
FOR_NOW = ("25006", "42P01")
# Statement timeout (`statements`).
TIMED_OUT = "57014"


def is_database_unavailable(error: BaseException) -> bool:
    """Return True if the same request may succeed later; False for a deadlock."""
    state = _state(error)
    if isinstance(error, Error) and state in (*FOR_NOW, TIMED_OUT):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return state is None or str(state).startswith(CLASSES)


def _state(error: BaseException) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def unavailable_message(error: BaseException | None = None) -> str:
    """Return the message of the page and the API: the cause and the remedy."""
    if error is not None and _state(error) == TIMED_OUT:
        return _(
            "The database took too long for this page and was stopped. Nothing is lost. Choose "
            "less (fewer runs, a shorter time), or try again later."
        )
    return _(
        "The database does not answer at the moment. Nothing is lost: running tests go on, and "
        "this page works again when the database does. Try again in a few seconds."
    )

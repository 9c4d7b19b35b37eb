"""The end-to-end tests prove the application's rights in the database only while it has no more."""

from __future__ import annotations

import psycopg
import pytest

from tests.e2e.stack import Stack

pytestmark = [pytest.mark.e2e]

OWNED = "SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole"
SUPERUSER = (
    "SELECT rolsuper OR rolcreatedb OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
)


def test_web_and_workers_own_nothing(stack: Stack) -> None:
    with psycopg.connect(stack.environment["DATABASE_URL"]) as connection:
        assert connection.execute(OWNED).fetchone() == (0,)
        assert connection.execute(SUPERUSER).fetchone() == (False,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("ALTER TABLE runs_run RENAME TO elsewhere")
    assert "DATABASE_OWNER_URL" not in stack.environment

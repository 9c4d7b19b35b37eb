"""The role as which benchlab works in PostgreSQL: it reads and writes rows, and owns nothing.

Tables are made and changed by another role, their owner, so whoever gets hold of the application's
connection can neither drop a table nor take away the trigger that keeps the audit record.
Standard library only: the embedded server's role is made before the environment is used.
"""

from __future__ import annotations

ROWS = "SELECT, INSERT, UPDATE, DELETE"
NUMBERS = "USAGE, SELECT, UPDATE"


def role_statements(name: str, password: str = "") -> list[str]:
    """Statements that the owner of the database runs, as often as wanted, to make the role or bring
    it up to date; also for tables that come later. Without a password the role has none.

    A new role is no superuser; only a superuser may say so of one that is there.
    """
    role, known = _identifier(name), _literal(name)
    secret = f" PASSWORD {_literal(password)}" if password else ""
    missing = f"NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {known})"
    return [
        f"DO $do$ BEGIN IF {missing} THEN CREATE ROLE {role}; END IF; END $do$",
        f"ALTER ROLE {role} LOGIN{secret}",
        f"GRANT USAGE ON SCHEMA public TO {role}",
        f"GRANT {ROWS} ON ALL TABLES IN SCHEMA public TO {role}",
        f"GRANT {NUMBERS} ON ALL SEQUENCES IN SCHEMA public TO {role}",
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {ROWS} ON TABLES TO {role}",
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {NUMBERS} ON SEQUENCES TO {role}",
    ]


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    """With standard_conforming_strings, PostgreSQL's default, only the quote is special."""
    return "'" + text.replace("'", "''") + "'"

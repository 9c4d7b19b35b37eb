"""PostgreSQL role of the application, which reads and writes rows and owns nothing.

Another role owns the tables, so the application's connection can neither drop a table nor the audit
log's trigger. Standard library only: the embedded server's role is created before the virtual
environment is used.
"""

from __future__ import annotations

ROWS = "SELECT, INSERT, UPDATE, DELETE"
NUMBERS = "USAGE, SELECT, UPDATE"
VIEWS = ("grafana_measurement", "grafana_series")
# Of the server's side of a connection. By default it notices after two hours that a machine is
# gone, and the locks of its open transaction would block the other workers until then. Sockets of
# this machine ignore them.
KEEPALIVES = {
    "tcp_keepalives_idle": "10s",
    "tcp_keepalives_interval": "5s",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "30s",
}


def role_statements(name: str, password: str = "") -> list[str]:
    """Return the owner's statements that create or update the role, also for later tables.

    Repeatable. Without a password the role has none. A new role is not a superuser.
    """
    role, known = _identifier(name), _literal(name)
    secret = f" PASSWORD {_literal(password)}" if password else ""
    missing = f"NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {known})"
    return [
        f"DO $do$ BEGIN IF {missing} THEN CREATE ROLE {role}; END IF; END $do$",
        f"ALTER ROLE {role} LOGIN{secret}",
        *(f"ALTER ROLE {role} SET {key} = '{value}'" for key, value in KEEPALIVES.items()),
        f"GRANT USAGE ON SCHEMA public TO {role}",
        f"GRANT {ROWS} ON ALL TABLES IN SCHEMA public TO {role}",
        f"GRANT {NUMBERS} ON ALL SEQUENCES IN SCHEMA public TO {role}",
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {ROWS} ON TABLES TO {role}",
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {NUMBERS} ON SEQUENCES TO {role}",
    ]


def reader_statements(name: str, password: str) -> list[str]:
    """Return the owner's statements that create or update a role that reads the VIEWS alone.

    Repeatable. Views read their tables with the rights of their owner.
    """
    role, known = _identifier(name), _literal(name)
    missing = f"NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {known})"
    return [
        f"DO $do$ BEGIN IF {missing} THEN CREATE ROLE {role}; END IF; END $do$",
        f"ALTER ROLE {role} LOGIN CONNECTION LIMIT 10 PASSWORD {_literal(password)}",
        f"ALTER ROLE {role} SET default_transaction_read_only = on",
        f"ALTER ROLE {role} SET statement_timeout = '60s'",
        f"GRANT USAGE ON SCHEMA public TO {role}",
        f"GRANT SELECT ON {', '.join(VIEWS)} TO {role}",
    ]


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    """Quote a literal; with standard_conforming_strings, the default, only the quote is special."""
    return "'" + text.replace("'", "''") + "'"

"""`manage.py create_grafana_role [NAME]`: create a role that reads the views for Grafana."""

from __future__ import annotations

import secrets
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser
from psycopg.conninfo import conninfo_to_dict

from benchlab.env import env_str
from benchlab.local.db_role import reader_statements

RIGHTS = """
SELECT role.rolsuper OR role.rolcreaterole OR role.rolcreatedb OR EXISTS (
    SELECT FROM pg_auth_members WHERE member = role.oid
) OR EXISTS (
    SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND (
        relowner = role.oid
        OR relkind IN ('r', 'p') AND has_table_privilege(role.oid, pg_class.oid, 'SELECT')
    )
)
FROM pg_roles role WHERE role.rolname = %s
"""
"""True for a role that may do more than read the views."""


class Command(BaseCommand):
    help = (
        "Make a PostgreSQL role that reads grafana_measurement and grafana_series, and print its "
        "new password. It is made as the role in DATABASE_OWNER_URL."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="grafana")

    def handle(self, *args: Any, **options: Any) -> None:
        name, password = str(options["name"]), secrets.token_urlsafe(24)
        owner = env_str("DATABASE_OWNER_URL") or env_str("DATABASE_URL")
        if not owner:
            raise CommandError("Set DATABASE_URL or DATABASE_OWNER_URL.")
        try:
            if name in {_user(owner), _user(env_str("DATABASE_URL"))}:
                raise CommandError(f"{name} is benchlab's own user: name another one.")
            with psycopg.connect(owner, connect_timeout=10) as connection:
                if connection.execute(RIGHTS, [name]).fetchone() == (True,):
                    raise CommandError(f"{name} has other rights: name another role.")
                for statement in reader_statements(name, password):
                    connection.execute(statement.encode())
                if connection.execute(RIGHTS, [name]).fetchone() != (False,):
                    raise CommandError(f"{name} would read more than the views.")
        except psycopg.Error as error:
            raise CommandError(f"The role cannot be made: {str(error).strip()}") from error
        self.stdout.write(password)


def _user(url: str) -> str:
    return str(conninfo_to_dict(url).get("user") or "")

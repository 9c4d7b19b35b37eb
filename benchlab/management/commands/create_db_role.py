"""`manage.py create_db_role`: create the role of DATABASE_URL as DATABASE_OWNER_URL."""

from __future__ import annotations

from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from psycopg.conninfo import conninfo_to_dict

from benchlab.env import env_str
from benchlab.local.db_role import role_statements

SUPERUSER = "SELECT rolsuper FROM pg_roles WHERE rolname = %s"


class Command(BaseCommand):
    help = (
        "Make the role in DATABASE_URL, or bring it up to date: it may read and write rows, and "
        "owns nothing. DATABASE_OWNER_URL is the address with which it is made."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        owner, own = env_str("DATABASE_OWNER_URL"), env_str("DATABASE_URL")
        if not owner or not own:
            raise CommandError("Set DATABASE_URL and DATABASE_OWNER_URL.")
        try:
            role = conninfo_to_dict(own)
            name, password = str(role.get("user") or ""), str(role.get("password") or "")
            if not name or name == conninfo_to_dict(owner).get("user"):
                raise CommandError("DATABASE_URL and DATABASE_OWNER_URL need two users.")
            with psycopg.connect(owner, connect_timeout=10) as connection:
                for statement in role_statements(name, password):
                    connection.execute(statement.encode())
                if connection.execute(SUPERUSER, [name]).fetchone() != (False,):
                    raise CommandError(f"{name} is a superuser: name another user.")
        except psycopg.Error as error:
            raise CommandError(f"The role cannot be made: {str(error).strip()}") from error
        self.stdout.write(f"{name} reads and writes rows, and owns nothing.")

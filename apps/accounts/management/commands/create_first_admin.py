"""`manage.py create_first_admin`: create the first admin and print how to log in.

Does nothing if an admin exists.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.services import first_admin_create


class Command(BaseCommand):
    help = (
        "Make the first admin. The password comes from BENCHLAB_ADMIN_PASSWORD; without it one is "
        "made up and kept in BENCHLAB_HOME/secrets/admin-password, readable by this account only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--username", default="admin")

    def handle(self, *args: Any, **options: Any) -> None:
        given = os.environ.get("BENCHLAB_ADMIN_PASSWORD", "")
        path = settings.HOME / "secrets" / "admin-password"
        password = given or _stored_password(path) or secrets.token_urlsafe(15)
        try:
            admin, made = first_admin_create(username=options["username"], password=password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        if made and not given:
            _keep(path, password)
        self.stdout.write(_login(admin.username, admin.check_password(password), given, path))


def _login(username: str, matches: bool, given: str, path: Path) -> str:
    if not matches:
        return f"Login: {username}, with the password that was set in benchlab"
    password_text = (
        "the password in BENCHLAB_ADMIN_PASSWORD"
        if given
        else f"{_stored_password(path)} (stored in {path})"
    )
    return f"Login: {username} / {password_text}"


def _stored_password(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def _keep(path: Path, password: str) -> None:
    """Written with mode 0600 from the first byte on."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(password + "\n")

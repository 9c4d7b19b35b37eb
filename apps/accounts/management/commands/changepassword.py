"""`manage.py changepassword USER`: set a new password.

Replaces Django's command, which records nothing and revokes no tokens.
"""

from __future__ import annotations

from getpass import getpass
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import User
from apps.accounts.services import password_reset


class Command(BaseCommand):
    help = "Set a user's password. It ends all sessions and API tokens the user has."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']}.")
        password = getpass("New password: ")
        if password != getpass("Once more: "):
            raise CommandError("The two differ; nothing was changed.")
        try:
            validate_password(password, user)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        password_reset(user=user, password=password)
        self.stdout.write(f"{user.username} has the new password; sessions and tokens ended.")

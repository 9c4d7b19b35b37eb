"""`manage.py reset_mfa USER`: remove the second factors of a user who lost them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import User
from apps.accounts.services import second_factors_reset


class Command(BaseCommand):
    help = "Remove a user's app, passkeys and recovery codes. It ends the user's sessions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']}.")
        count = second_factors_reset(user=user, by=None)
        self.stdout.write(f"{count} removed; {user.username} logs in with the password alone.")

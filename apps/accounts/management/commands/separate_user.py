"""`manage.py separate_user USER`: separate an account from the OpenID Connect provider."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import User
from apps.accounts.services import user_separate


class Command(BaseCommand):
    help = (
        "Separate an account from the provider, so that it logs in with a password, also while "
        "the provider is away. It ends the user's sessions and API tokens."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']}.")
        if not user.is_external:
            raise CommandError(f"{user.username} is not joined with a provider.")
        user_separate(user=user, by=None)
        self.stdout.write(f"{user.username} is separated; set a password with changepassword.")

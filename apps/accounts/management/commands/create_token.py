"""`manage.py create_token USER NAME`: create an API token and print it once."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.accounts.models import ApiToken, User
from apps.accounts.services import token_create
from apps.common.errors import ServiceError


class Command(BaseCommand):
    help = "Make an API token for a user and print it; it is never shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("name", help="what the token is for")
        parser.add_argument("--read-only", action="store_true")
        parser.add_argument(
            "--metrics", action="store_true", help="open /metrics only; the user is an admin"
        )
        parser.add_argument(
            "--may-wipe",
            action="store_true",
            help="for scripts that wipe or enrol disks, abandon attempts, or make tokens and keys",
        )
        parser.add_argument(
            "--days", type=int, help="days until it expires (default: BENCHLAB_TOKEN_DAYS)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no user {options['username']}.")
        try:
            _, secret = token_create(
                user=user,
                name=options["name"],
                read_only=options["read_only"],
                scope=ApiToken.Scope.METRICS if options["metrics"] else ApiToken.Scope.API,
                may_wipe=options["may_wipe"],
                days=options["days"],
            )
        except ServiceError as refused:
            raise CommandError(refused.message) from refused
        except PermissionDenied as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(secret)

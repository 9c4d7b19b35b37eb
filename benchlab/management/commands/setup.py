"""`manage.py setup`: migrate, compile texts, collect static files, create the first admin.

One process, because loading Django four times took most of a start. Repeatable.
"""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "Migrate, collect static files, make the first admin and the built-in tuning."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-static", action="store_true", help="leave the collected static files as they are"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("compilemessages")
        if not options["no_static"]:
            call_command("collectstatic", interactive=False, verbosity=0)
        call_command("create_first_admin", stdout=self.stdout)
        call_command("load_builtins")

"""`manage.py new_room NAME DIR`: a package with a tool's room to begin from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from benchlab.room_template import NewRoomError, new_room


class Command(BaseCommand):
    help = "Write a package with a room for your own tool; docs/development/tools.md says more."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the tool's name: small letters, digits and _")
        parser.add_argument("folder", type=Path, help="where to; made, or empty")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            written = new_room(options["name"], options["folder"])
        except NewRoomError as error:
            raise CommandError(str(error)) from error
        for path in written:
            self.stdout.write(str(path))

"""`manage.py steps FILE|-`: parse commands to plan steps as JSON, without a database."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.tools.steps_cli import main


class Command(BaseCommand):
    help = "Read commands, a script or a job file and print the steps of a plan as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE|-")

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(main([options["file"]]))

"""`manage.py parse [TOOL] FILE|-`: parse an output as JSON, without a database."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.tools.parse_cli import main


class Command(BaseCommand):
    help = "Read a tool's output and print its measurements as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("words", nargs="+", metavar="[TOOL] FILE|-")

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(main(options["words"]))

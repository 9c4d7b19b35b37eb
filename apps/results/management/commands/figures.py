"""`manage.py figures`: the table of figures anew from the measurements, or only compared."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.results.figure_table import figures_difference, figures_renew


class Command(BaseCommand):
    help = "Make the table of figures anew from the measurements."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit 1 where the table differs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            found = figures_difference()
            if found:
                raise CommandError(str(found))
            self.stdout.write(str(found))
            return
        looked = written = 0
        for some, changed in figures_renew():
            looked, written = looked + some, written + changed
        self.stdout.write(f"{looked} measurements read, {written} rows of figures written.")

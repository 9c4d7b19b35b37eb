"""`manage.py figures`: the figures that differ from their measurements, written or counted."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.results.services.summary_table import figures_difference, figures_renew


class Command(BaseCommand):
    help = "Write the figures that are not as their measurements say."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit 1 where figures differ"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["check"]:
            self.stdout.write(f"The figures of {figures_renew()} cases were written.")
            return
        if wrong := figures_difference():
            raise CommandError(
                f"The figures of {len(wrong)} cases are not as their measurements say. "
                "manage.py figures writes them."
            )
        self.stdout.write("The table of figures is as the measurements say.")

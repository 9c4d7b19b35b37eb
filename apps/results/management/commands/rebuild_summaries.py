"""`manage.py rebuild_summaries`: check or rebuild the result summaries."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.results.services.summary_table import summaries_difference, summaries_rebuild


class Command(BaseCommand):
    help = "Rebuild result summaries that differ from their measurements."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; exit 1 if summaries differ"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["check"]:
            self.stdout.write(f"The result summaries of {summaries_rebuild()} cases were rebuilt.")
            return
        if outdated := summaries_difference():
            raise CommandError(
                f"The result summaries of {len(outdated)} cases differ from the measurements. "
                "Run manage.py rebuild_summaries."
            )
        self.stdout.write("All result summaries match the measurements.")

"""`manage.py thin_series`: which series the rule would thin, and doing it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from apps.results.services.downsampling import KEPT, due, series_thin


class Command(BaseCommand):
    help = "Say which series are old enough to be thinned; --do thins them, as is done each day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--do", action="store_true", help="thin them")

    def handle(self, *args: Any, **options: Any) -> None:
        months = settings.THIN_SERIES_MONTHS
        if not months:
            self.stdout.write("Series are kept as they are for ever: there is no rule.")
            return
        told = series_thin() if options["do"] else due()
        verb = "thinned" if options["do"] else "would thin"
        self.stdout.write(
            f"series keep at most {KEPT} values {months} months after their run: "
            f"{verb} {told.series} series ({told.size / 1e6:.1f} MB of values less)"
        )

"""`manage.py retention`: what the rules of keeping raw output would remove, and doing it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.runs.services.retention import Due, due, raw_output_remove, rules


class Command(BaseCommand):
    help = "Say which raw output the rules no longer keep; --do removes it, as is done each day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--do", action="store_true", help="remove it")

    def handle(self, *args: Any, **options: Any) -> None:
        found = rules()
        for rule in found:
            told = raw_output_remove(rule) if options["do"] else due(rule)
            verb = "removed" if options["do"] else "would remove"
            self.stdout.write(f"{rule}: {verb} {_words(told)}")
        if not found:
            self.stdout.write("Raw output is kept for ever: there is no rule.")


def _words(told: Due) -> str:
    sizes = f"{told.size / 1e6:.1f} MB, {told.freed / 1e6:.1f} MB of it packed and nowhere else"
    return f"{told.files} files of {told.runs} runs ({sizes})"

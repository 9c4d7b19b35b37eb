"""`manage.py record_backup NAME`: record a backup, for the page System and /metrics."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.common.services import backup_record
from benchlab.version import VERSION


class Command(BaseCommand):
    help = (
        "Record a backup that was made by other means, such as pg_dump. `bin/manage backup` "
        "records its own."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what it is called, such as its path")
        parser.add_argument("--size", type=int, help="bytes")
        parser.add_argument("--made", help="time of its content in ISO 8601; default: now")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["size"] is not None and options["size"] < 0:
            raise CommandError("--size must not be negative.")
        backup_record(
            name=options["name"],
            version=VERSION,
            made_at=_time(options["made"]),
            size_bytes=options["size"],
        )


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        made = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"--made: {text} is no time in ISO 8601.") from None
    made = made if made.tzinfo else made.replace(tzinfo=UTC)
    if made > datetime.now(UTC):
        raise CommandError(f"--made: {text} is in the future.")
    return made

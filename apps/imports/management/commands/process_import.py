"""Read or store a large import in a separate process: `manage.py process_import`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import InterfaceError, OperationalError

from apps.common.subprocess_limits import add_limit_arguments, limited
from apps.imports.services import import_read, import_write
from apps.imports.services.to_store import BATCH_FILES


class Command(BaseCommand):
    help = "Read or store an import, whichever is next. Workers call this for large ones."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int)
        add_limit_arguments(parser)
        parser.add_argument("--one-by-one", action="store_true", help="keep each result at once")

    def handle(self, *args: Any, **options: Any) -> None:
        batch = 1 if options["one_by_one"] else BATCH_FILES
        bounds = {"database": options["database"], "memory": options["memory"]}
        with limited(**bounds, is_away=_is_away):
            one_by_one = options["one_by_one"]
            import_read(import_id=options["number"], batch=batch, forks=not one_by_one)
            import_write(import_id=options["number"])


def _is_away(error: BaseException) -> bool:
    return isinstance(error, OperationalError | InterfaceError)

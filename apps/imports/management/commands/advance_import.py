"""`manage.py advance_import`: the worker's own process for an import that is large."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import InterfaceError, OperationalError, connection

from apps.common.bounded import AWAY, NO_MEMORY, bound_this_process
from apps.imports.services import import_read, import_write, read


class Command(BaseCommand):
    help = "Read or store an import, whichever is next. Workers call this for large ones."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int)
        parser.add_argument("database", help="the worker's database, on the usual server")
        parser.add_argument("memory", type=int, help="bytes that it may take")
        parser.add_argument("--one-by-one", action="store_true", help="keep each result at once")

    def handle(self, *args: Any, **options: Any) -> None:
        bound_this_process(options["memory"])
        connection.settings_dict["NAME"] = options["database"]
        batch = 1 if options["one_by_one"] else read.BATCH_GROUPS
        try:
            import_read(import_id=options["number"], batch=batch)
            import_write(import_id=options["number"])
        except MemoryError:
            sys.exit(NO_MEMORY)
        except (OperationalError, InterfaceError):
            sys.exit(AWAY)
        except Exception as error:
            if "not enough memory" in str(error):  # libraries in C have errors of their own
                sys.exit(NO_MEMORY)
            raise

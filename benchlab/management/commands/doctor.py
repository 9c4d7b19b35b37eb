"""`manage.py doctor`: check the installation; exit code 1 if something is wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from benchlab.local.paths import Home
from benchlab.ops.doctor.artifacts import artifacts
from benchlab.ops.doctor.backups import backups
from benchlab.ops.doctor.hosts import hosts, keys
from benchlab.ops.doctor.runs import runs
from benchlab.ops.doctor.servers import broker, database, processes
from benchlab.ops.doctor.sign_on import sign_on
from benchlab.ops.doctor.tools import tools
from benchlab.ops.findings import Finding, wrong
from benchlab.ops.home_check import home_findings
from benchlab.ops.lake import lake

IN_DATABASE: tuple[Callable[[], list[Finding]], ...] = (
    processes,
    keys,
    sign_on,
    hosts,
    runs,
    artifacts,
    backups,
    lake,
)


class Command(BaseCommand):
    help = "Say what is wrong with this installation and what to do; exit 1 when something is."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="only what is not well")

    def handle(self, *args: Any, **options: Any) -> None:
        result = examine()
        for finding in result:
            if finding.level != "ok" or not options["quiet"]:
                self.stdout.write("\n".join(finding.lines()))
        bad = sum(finding.level == "wrong" for finding in result)
        self.stdout.write(f"{bad} wrong." if bad else "Nothing is wrong.")
        sys.exit(1 if bad else 0)


def examine() -> list[Finding]:
    """Everything; what rests on the database only where it answers and has its tables."""
    result, tables = [*home_findings(Home(settings.HOME)), *tools(), *broker()], database()
    result += tables
    if any(finding.level == "wrong" for finding in tables):
        return result
    for look in IN_DATABASE:
        try:
            result += look()
        except DatabaseError as error:
            todo = "look at the database's log"
            result.append(wrong(f"{look.__name__}: the database failed: {error}", todo))
    return result

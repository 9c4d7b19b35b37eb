"""`manage.py upgrade [--check]`: check whether this version upgrades the database, then do it."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from benchlab.ops.upgrade import upgrade_findings


class Command(BaseCommand):
    help = (
        "Check versions, the newest backup and the disk, then update the tables. Exit code 1 "
        "if this version does not upgrade the database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="only check, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = upgrade_findings()
        for finding in findings:
            self.stdout.write("\n".join(finding.lines()))
        if any(finding.level == "wrong" for finding in findings):
            self.stdout.write("No upgrade: nothing was changed.")
            sys.exit(1)
        if options["check"]:
            self.stdout.write("This version can upgrade the database. Nothing was changed.")
            return
        call_command("migrate", interactive=False, verbosity=min(options["verbosity"], 1))

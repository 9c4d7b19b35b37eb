"""`manage.py parse_attempt`: the subprocess of the worker that parses large output."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.common.subprocess_limits import add_limit_arguments, limited
from apps.execution.attempt.parse_subprocess import OVER
from apps.execution.domain.lease import RunLease
from apps.execution.runtime.database import is_away
from apps.execution.selectors.attempts import attempt_with_case
from apps.execution.services.attempt_end import attempt_publish
from apps.execution.services.attempts import AttemptOver
from apps.runs.services.leases import LeaseLost


class Command(BaseCommand):
    help = "Read an attempt's stored output and end it. Workers call this for large output."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("attempt")
        parser.add_argument("run", type=int)
        parser.add_argument("fence", type=int, help="the token of the worker's lease")
        add_limit_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        bounds = {"database": options["database"], "memory": options["memory"]}
        try:
            with limited(**bounds, is_away=is_away):
                attempt = attempt_with_case(options["attempt"])
                attempt_publish(RunLease(options["run"], options["fence"]), attempt)
        except (LeaseLost, AttemptOver):
            sys.exit(OVER)

"""`manage.py reparse`: rebuild measurements from raw output with the current parsers."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Q

from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt, AttemptState, FailureCause
from apps.runs.services.artifacts import ArtifactDeleted
from apps.tools.errors import OutputError, ToolError


class Command(BaseCommand):
    help = "Rebuild measurements from the raw output that is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--run", type=int, help="only this run's attempts")
        parser.add_argument("--tool", help="only this tool's attempts")

    def handle(self, *args: Any, **options: Any) -> None:
        succeeded = Q(state=AttemptState.SUCCEEDED)
        # The worker gave up reading it for its size: here there is time and memory.
        unread = Q(state=AttemptState.FAILED, failure_cause=FailureCause.BENCHLAB)
        attempts = Attempt.objects.filter(succeeded | unread).select_related("case")
        if options["run"]:
            attempts = attempts.filter(case__run_id=options["run"])
        if options["tool"]:
            attempts = attempts.filter(case__workload__tool=options["tool"])
        done = failed = 0
        for attempt in attempts.iterator(chunk_size=100):
            try:
                attempt_reparse(attempt=attempt)
                done += 1
            except (ToolError, OutputError, ArtifactDeleted) as error:
                failed += 1
                self.stderr.write(f"case {attempt.case_id}, attempt {attempt.number}: {error}")
        self.stdout.write(f"{done} attempts read again, {failed} could not be read.")

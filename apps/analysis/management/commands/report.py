"""`manage.py report RUN --format html|pdf|xlsx|md FILE`: write a run's report to a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.analysis.report.content import report_of_run
from apps.analysis.report.document import DOCUMENT_MAKERS, PAPERS, make_document
from apps.common.errors import ServiceError
from apps.runs.models import Run


class Command(BaseCommand):
    help = "Write the report of a run: one self-contained HTML file, PDF, Excel or Markdown."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", type=int, help="the run's number")
        parser.add_argument("file", help="where to; - is standard output")
        parser.add_argument(
            "--format", choices=list(DOCUMENT_MAKERS), help="else by the file's name"
        )
        parser.add_argument("--paper", choices=PAPERS, default=PAPERS[0])

    def handle(self, *args: Any, **options: Any) -> None:
        run = Run.objects.filter(pk=options["run"]).first()
        if run is None:
            raise CommandError(f"There is no run {options['run']}.")
        file_format = options["format"] or Path(options["file"]).suffix.removeprefix(".")
        try:
            document = make_document(report_of_run(run), file_format, options["paper"])
        except ServiceError as failure:
            raise CommandError(failure.message) from failure
        if options["file"] == "-":
            sys.stdout.buffer.write(document.data)
            return
        try:
            Path(options["file"]).write_bytes(document.data)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from error

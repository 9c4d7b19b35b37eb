"""Import results of other tools' runs: `manage.py import FILE|FOLDER...`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from apps.accounts.models import Role, User
from apps.common.errors import ServiceError
from apps.imports.domain.archives import ArchiveBudget
from apps.imports.domain.folders import walked
from apps.imports.domain.limits import max_bytes
from apps.imports.models import Import, ImportState
from apps.imports.presenters.table import copy_lines, preview_lines, refusal_lines
from apps.imports.selectors.imports import import_counts
from apps.imports.services import ImportDraft, import_begin, import_store
from apps.runs.services.runs import cases_words

NOTHING = 2


class Command(BaseCommand):
    help = "Read results that others made and store them in the archive."
    # Checks import the code of every page, which takes a second, and do not concern the files.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE|FOLDER")
        parser.add_argument("--dry-run", action="store_true", help="show what it is, keep nothing")
        parser.add_argument("--host", default="", help="where it was measured")
        parser.add_argument("--target", default="", help='what was tested, such as "vdb"')
        parser.add_argument("--tuning", default="", help='under what, such as "before"')
        parser.add_argument(
            "--ignore-job-names",
            action="store_true",
            help="tests that only the names of their jobs tell apart are repeats",
        )
        parser.add_argument(
            "--keep-duplicates",
            action="store_true",
            help="an output that a text has twice counts as two results",
        )
        parser.add_argument(
            "--name", default="", help="the name of the run it becomes; else made of what it holds"
        )
        parser.add_argument(
            "--job-options", default="", help="the command line or job file that was run"
        )
        parser.add_argument("--note", default="", help="a note on that run")
        parser.add_argument("--user", help="whose it is (the first admin's if not given)")

    def handle(self, *args: Any, **options: Any) -> None:
        user = _user(options["user"])
        try:
            draft = ImportDraft(
                name=options["name"],
                note=options["note"],
                job_options=options["job_options"],
                host_name=options["host"],
                target_name=options["target"],
                tuning_name=options["tuning"],
                ignore_job_names=options["ignore_job_names"],
                keep_duplicates=options["keep_duplicates"],
            )
            understood = self._import(user, draft, options["files"], keep=not options["dry_run"])
        except (ServiceError, OSError, PermissionDenied) as error:
            self.stderr.write(_error_text(error))
            sys.exit(NOTHING)
        if not understood:
            sys.exit(NOTHING)

    def _import(self, user: User, draft: ImportDraft, files: list[Path], *, keep: bool) -> int:
        """Read, show and store; return the number of parsed files."""
        with transaction.atomic():
            imported = _read(user, draft, files)
            understood = self._show(imported)
            transaction.set_rollback(not keep)
        if understood and keep:
            self._store(imported, user)
        return understood

    def _show(self, imported: Import) -> int:
        """Print the preview; return the number of parsed files."""
        for line in preview_lines(imported):
            self.stdout.write(line)
        for line in (*copy_lines(imported), *refusal_lines(imported)):
            self.stderr.write(line)
        return import_counts(imported)["parsed"]

    def _store(self, imported: Import, user: User) -> None:
        if not import_counts(imported)["selected"]:
            self.stdout.write("Nothing new: every result is in the archive already.")
            return
        done = import_store(imported=imported, user=user, at_once=True)
        if done.state != ImportState.STORED or done.run is None:
            raise ServiceError(done.reason)
        self.stdout.write(f"Stored as run {done.run_id}: {cases_words(done.run.case_count)}.")


def _read(user: User, draft: ImportDraft, files: list[Path]) -> Import:
    most = max_bytes()
    entries = walked(files, most)
    budget = ArchiveBudget(most, in_all=False)
    return import_begin(
        user=user, draft=draft, files=entries, budget=budget, at_once=True, forks=True
    )


def _user(name: str | None) -> User:
    users = User.objects.filter(is_active=True).order_by("pk")
    chosen = users.filter(username=name) if name else users.filter(role=Role.ADMIN)
    user = chosen.first()
    if user is None:
        raise CommandError(f"There is no user {name}." if name else "There is no admin yet.")
    return user


def _error_text(error: Exception) -> str:
    if isinstance(error, ServiceError):
        texts = [text for messages in error.fields.values() for text in messages]
        return " ".join(dict.fromkeys([error.message, *texts]))
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    return "This user may not import: it needs the role operator."

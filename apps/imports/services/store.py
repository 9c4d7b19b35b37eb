"""Store parsed files as a run: cases, attempts with the original bytes, results."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.database.planner import MANY, tables_analyze
from apps.common.errors import ServiceError
from apps.imports.models import Import, ImportFile, ImportState
from apps.imports.selectors.repeat_numbers import RepeatNumbers, uses_job_names
from apps.imports.selectors.stored_names import stored_names
from apps.imports.services.cases import NewCase, RunNames, cases_store, new_cases
from apps.imports.services.lease import import_lease_acquire, import_lease_end, import_lease_renew
from apps.imports.services.to_store import batches_to_store
from apps.inventory.models import Host
from apps.inventory.services import host_archive_ensure
from apps.runs.models import Origin, Run, RunState
from apps.runs.services.runs import cases_words, event_record
from apps.runs.services.snapshot import imported_baseline_choose
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

log = logging.getLogger(__name__)


def import_write(*, import_id: int) -> bool:
    """Store an import in state STORING, completely or not at all.

    Returns False in another state, or if another process has the lease.
    """
    imported = import_lease_acquire(import_id, ImportState.STORING)
    if imported is None:
        return False
    try:
        return _stored(imported)
    except ServiceError as error:
        import_lease_end(imported, state=ImportState.READ, reason=error.message)
    except PermissionDenied:
        reason = message("%(user)s may no longer import results.", user=imported.owner.username)
        import_lease_end(imported, state=ImportState.READ, reason=reason)
    except OperationalError:
        raise  # database unavailable: retried under the next lease
    except Exception:
        # Not retried: a defect of benchlab recurs, and an import in STORING cannot be discarded.
        log.exception("storing import %s failed", import_id)
        reason = message("benchlab failed to store this; the log has the cause.")
        import_lease_end(imported, state=ImportState.READ, reason=reason)
    return True


@transaction.atomic
def _stored(imported: Import) -> bool:
    """Store an import with its row locked.

    The lock prevents a second run if the lease expires meanwhile.
    """
    now = Import.objects.select_for_update().get(pk=imported.pk)
    if now.state != ImportState.STORING:
        return False
    imported.run = _run_write(imported)
    imported.save(update_fields=["run"])
    import_lease_end(imported, state=ImportState.STORED)
    runs_touch([imported.run.pk])
    return True


def _run_write(imported: Import) -> Run:
    run = Run.objects.create(
        name=imported.name,
        note=imported.note,
        owner=imported.owner,
        team=imported.team,
        origin=Origin.IMPORTED,
        state=RunState.SUCCEEDED,
    )
    run_names = RunNames(run)
    hosts: dict[str, Host] = {}
    repeat_numbers, times, count = RepeatNumbers(imported), _Times(), 0
    for rows in batches_to_store(imported):
        cases: list[NewCase] = []
        for row in rows:
            host = _host(stored_names(imported, row).host, imported.owner, hosts)
            names = uses_job_names(imported, row)
            for case in new_cases(run_names, row, host, repeat_numbers, names=names):
                case.sequence, count = count, count + 1
                cases.append(case)
        cases_store(cases)
        _content_clear(rows, cases)
        times.add(cases)
        import_lease_renew(imported)
    return _run_end(run, count, times, imported)


def _host(name: str, user: User, hosts: dict[str, Host]) -> Host:
    if name not in hosts:
        hosts[name] = host_archive_ensure(name=name, user=user)
    return hosts[name]


def _content_clear(rows: Sequence[ImportFile], cases: Sequence[NewCase]) -> None:
    """Clear the content of stored files: the first case's artifacts have their bytes."""
    first: dict[int, int] = {}
    for case in cases:
        first.setdefault(case.file.pk, case.row.pk)
    stored = [row for row in rows if row.pk in first]
    for row in stored:
        row.case_id, row.content = first[row.pk], b""
    ImportFile.objects.bulk_update(stored, ["case", "content"], batch_size=500)
    ImportFile.objects.filter(primary_file__in=stored).update(content=b"")


@dataclass
class _Times:
    """Start of the first measurement and end of the last one, as reported by the outputs."""

    first: datetime | None = None
    last: datetime | None = None

    def add(self, cases: Sequence[NewCase]) -> None:
        reported = [
            timestamp for case in cases for timestamp in (case.began, case.ended) if timestamp
        ]
        timestamps = [*reported, *(timestamp for timestamp in (self.first, self.last) if timestamp)]
        if timestamps:
            self.first, self.last = min(timestamps), max(timestamps)


def _run_end(run: Run, count: int, times: _Times, imported: Import) -> Run:
    if not count:
        raise ServiceError(_("Nothing could be stored: no file can be read any more."))
    imported_baseline_choose(run)
    run.case_count = count
    run.started_at, run.finished_at = times.first, times.last
    run.save()
    if count >= MANY:
        transaction.on_commit(tables_analyze, robust=True)
    event_record(
        run,
        "imported",
        message(
            "imported by %(who)s, %(cases)s", who=imported.owner.username, cases=cases_words(count)
        ),
    )
    return run

"""Read and store large imports in a separate process (`manage.py process_import`).

The process has limits of memory and time, and other work of the worker continues. A result that
cannot be read fails; the others are read.
"""

from __future__ import annotations

import logging
import subprocess

from apps.common.subprocess_limits import (
    DATABASE_UNAVAILABLE,
    IN_PROCESS_LIMIT,
    MEMORY_LIMIT,
    NO_MEMORY,
    last_line,
    limited_command,
)
from apps.imports.models import FileState, Import, ImportState
from apps.imports.selectors.imports import import_size
from apps.imports.services import import_read, import_write
from apps.imports.services.bundling import StoredHeads, groups_of
from apps.imports.services.lease import import_lease_end, import_lease_release
from apps.tools.messages import message

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 3600.0
"""Time limit of the process in seconds."""


def import_advance(import_id: int) -> None:
    """Read or store this import, whichever is next, unless another process does."""
    imported = Import.objects.filter(pk=import_id).first()
    if imported is None:
        return
    if import_size(imported)[1] <= IN_PROCESS_LIMIT:
        import_read(import_id=import_id)
        import_write(import_id=import_id)
        return
    one_by_one = False
    while reason := _failure_reason(import_id, one_by_one=one_by_one):
        imported.refresh_from_db()
        if imported.state == ImportState.RECEIVED and not one_by_one:
            one_by_one = True  # identifies the result that fails
            import_lease_release(imported)
        elif imported.state == ImportState.RECEIVED and _fail_next(imported, reason):
            import_lease_release(imported)
        else:
            import_lease_end(imported, state=ImportState.READ, reason=reason)
            return


def _failure_reason(import_id: int, *, one_by_one: bool) -> str:
    """Run the process; return the end of an error message, "" on success."""
    arguments = [import_id, *(["--one-by-one"] if one_by_one else [])]
    command = limited_command("process_import", *arguments, memory=MEMORY_LIMIT)
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return message("it took longer than %(minutes)d minutes", minutes=TIMEOUT_SECONDS // 60)
    if done.returncode in (0, DATABASE_UNAVAILABLE):
        return ""  # the next view of the import notifies a worker again
    error_line = last_line(done.stderr)
    log.warning("import %s: the process ended with %s: %s", import_id, done.returncode, error_line)
    if done.returncode in (NO_MEMORY, -9):
        return message("%(mib)d MiB of memory were not enough for it", mib=MEMORY_LIMIT >> 20)
    return error_line or message("exit code %(code)d", code=done.returncode)


def _fail_next(imported: Import, reason: str) -> bool:
    """Mark the next result as failed; return False if there is none."""
    waiting = imported.files.filter(state=FileState.WAITING)
    groups = groups_of(StoredHeads(waiting))
    if not groups:
        return False
    text = message("It could not be read: %(why)s.", why=reason)
    rows = waiting.filter(number__in=list(groups[0].files.values()))
    return bool(rows.update(state=FileState.FAILED, parse_error=text, selected=False))

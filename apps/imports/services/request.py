"""Requests of a user or a script: import files, store an import.

Small requests are processed at once, large ones by a worker.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.imports.domain.archives import ArchiveBudget, ReceivedEntry
from apps.imports.domain.limits import (
    READ_AT_ONCE_BYTES,
    READ_AT_ONCE_FILES,
    READ_AT_ONCE_SECONDS,
    max_bytes,
)
from apps.imports.models import FileState, Import, ImportState
from apps.imports.selectors.imports import dry_runs_over, import_size
from apps.imports.services.default_names import import_default_name_set
from apps.imports.services.editing import ImportDraft, import_build
from apps.imports.services.read import import_read
from apps.imports.services.receive import import_receive
from apps.imports.services.store import import_write


def import_begin(
    *,
    user: User,
    draft: ImportDraft,
    files: Iterable[ReceivedEntry],
    budget: ArchiveBudget | None = None,
    at_once: bool = False,
    dry_run: bool = False,
    forks: bool = False,
) -> Import:
    """Create an import of these files.

    It is read at once if it is small, or with `at_once`; else by a worker. A `dry_run` is never
    stored and expires after DRY_RUN_STAYS. `forks`: as in `import_read`.
    Raises: PermissionDenied; ImportTooLarge (413); ServiceError (400) if there are no files.
    """
    dry_runs_over().delete()
    imported = import_build(draft, user=user)
    imported.dry_run = dry_run
    bounds = budget or ArchiveBudget(max_bytes())
    number = import_receive(imported=imported, files=files, budget=bounds)
    if number and at_once:
        import_read(import_id=imported.pk, forks=forks)
    if not number:
        imported.delete()
        text = _("There are no files in it.")
        raise ServiceError(text, {"file": text}, status=400)
    if not at_once:
        import_default_name_set(imported)
        if not (_is_small(imported) and _is_read(imported)):
            import_hint(imported)
    return Import.objects.get(pk=imported.pk)


def _is_read(imported: Import) -> bool:
    """Read the import during the request; return True if all of it was read."""
    return import_read(import_id=imported.pk, seconds=READ_AT_ONCE_SECONDS)


def import_store(*, imported: Import, user: User, at_once: bool = False) -> Import:
    """Store the parsed and selected files as one run.

    A small import, or any with `at_once`, is stored on return; else a worker stores it.
    Raises: PermissionDenied; ServiceError.
    """
    with transaction.atomic():
        locked = lock_editable(imported, user)
        _require_storable(locked)
        locked.state, locked.lease_until = ImportState.STORING, None
        locked.save(update_fields=["state", "lease_until", "updated_at"])
        audit_record(user=user, action="store", subject=locked)
    if at_once or _is_small(locked):
        import_write(import_id=locked.pk)
    else:
        import_hint(locked)
    return Import.objects.get(pk=locked.pk)


def import_hint(imported: Import) -> None:
    """Notify a worker that an import is to be read or stored.

    The message may be lost: each later view of the import sends another one.
    """
    transaction.on_commit(lambda: send("imports.advance", imported.pk))


def _require_storable(imported: Import) -> None:
    if imported.dry_run:
        raise ServiceError(_("This was a dry run: send the files again to store them."))
    if imported.state == ImportState.RECEIVED:
        raise ServiceError(_("Its files are still being read."))
    if imported.state != ImportState.READ:
        text = _("This import is %(state)s already.")
        raise ServiceError(text % {"state": imported.get_state_display()})
    if not imported.files.filter(state=FileState.PARSED, selected=True).exists():
        raise ServiceError(_("There is nothing to store: no file is parsed and selected."))


def _is_small(imported: Import) -> bool:
    files, size = import_size(imported)
    return files <= READ_AT_ONCE_FILES and size <= READ_AT_ONCE_BYTES

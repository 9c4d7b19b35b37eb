"""Update an import: names of host, target and tuning, and the selected files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Team, User
from apps.accounts.permissions import lock_editable
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError, from_validation_error
from apps.imports.domain.limits import HOST_NAME
from apps.imports.models import FileState, Import, ImportFile, ImportState
from apps.imports.services.default_names import import_default_name_set
from apps.imports.services.reread import files_reread
from apps.tools.workloads.job_options import is_parsed_by_any_tool

MAX_AUDIT_FILES = 100  # files listed in an audit record; above, only their number
NAMES = (
    *("name", "note", "job_options", "host_name", "target_name", "tuning_name", "ignore_job_names"),
    "keep_duplicates",
)
CHANGEABLE = (
    *("host_name", "target_name", "tuning_name", "selected", "ignore_job_names", "keep_duplicates"),
    "ignore_commands",
)


@dataclass(frozen=True)
class ImportDraft:
    """User input for all files of an import."""

    name: str = ""
    note: str = ""
    host_name: str = ""
    target_name: str = ""
    tuning_name: str = ""
    ignore_job_names: bool = False
    keep_duplicates: bool = False
    job_options: str = ""
    team: Team | None = None


def import_build(draft: ImportDraft, *, user: User) -> Import:
    """Return a new import, validated and not saved.

    Raises: PermissionDenied; ServiceError (400).
    """
    if not user.is_operator:
        raise PermissionDenied
    imported = Import(owner=user)
    _require_team(imported, user, vars(draft))
    _take(imported, vars(draft))
    _name_or_wait(imported)
    _check(imported)
    return imported


@transaction.atomic
def import_update(
    *,
    imported: Import,
    user: User,
    names: Mapping[str, Any],
    files: Mapping[int, Mapping[str, Any]] | None = None,
) -> Import:
    """Change the names of an import, and of files by their number.

    `selected` of a file: it is stored. Raises: PermissionDenied; ServiceError once stored, or for
    an invalid name.
    """
    locked = _locked(imported, user)
    before = _audit_details(locked)
    _require_team(locked, user, names)
    _take(locked, names)
    if "name" in names and locked.name != before["name"]:
        _name_or_wait(locked)
    _check(locked)
    locked.save()
    changed = _files_update(locked, files) if files else {}
    if not locked.is_named:
        import_default_name_set(locked)
    after = _audit_details(locked)
    own = {name: text for name, text in after.items() if text != before[name]}
    if own or changed:
        audit_files = changed if len(changed) <= MAX_AUDIT_FILES else {"number": len(changed)}
        audit_record(user=user, action="change", subject=locked, **own, files=audit_files)
    return locked


@transaction.atomic
def import_discard(*, imported: Import, user: User) -> Import:
    """Delete the files of an import that is not stored; its row remains.

    Raises: PermissionDenied; ServiceError once stored.
    """
    locked = _locked(imported, user)
    locked.files.all().delete()
    locked.state, locked.lease_until = ImportState.DISCARDED, None
    locked.save()
    audit_record(user=user, action="discard", subject=locked)
    return locked


def _locked(imported: Import, user: User) -> Import:
    locked = lock_editable(imported, user)
    if locked.state not in (ImportState.RECEIVED, ImportState.READ):
        text = _("This import is %(state)s: it cannot be changed any more.")
        raise ServiceError(text % {"state": locked.get_state_display()})
    return locked


def _take(imported: Import, names: Mapping[str, Any]) -> None:
    for name, value in names.items():
        setattr(imported, name, value.strip() if isinstance(value, str) else value)


def _name_or_wait(imported: Import) -> None:
    """Set a provisional name if there is none; `import_default_name_set` replaces it."""
    imported.is_named = bool(imported.name)
    imported.name = imported.name or _("Imported results")


def _audit_details(imported: Import) -> dict[str, Any]:
    """Return the user input for the audit record."""
    details = {name: getattr(imported, name) for name in NAMES}
    return details | {"team": imported.team.name if imported.team else None}


def _require_team(imported: Import, user: User, names: Mapping[str, Any]) -> None:
    if text := team_fault(names.get("team", imported.team), user, imported):
        raise ServiceError(text, {"team": text}, status=400)


def _check(imported: Import) -> None:
    try:
        imported.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    check_host(imported.host_name)
    if imported.job_options and not is_parsed_by_any_tool(imported.job_options):
        text = _("No tool finds a whole test in it: paste the command line or the job file.")
        raise ServiceError(text, {"job_options": text}, status=400)


def check_host(name: str) -> None:
    """Raise ServiceError (400) for an invalid host name; "" is valid."""
    if name and not HOST_NAME.match(name):
        text = _("A host's name has up to 64 letters, digits, dots, dashes and underscores.")
        raise ServiceError(text, {"host_name": text}, status=400)


def _files_update(
    imported: Import, files: Mapping[int, Mapping[str, Any]]
) -> dict[str, dict[str, object]]:
    """Store changes of files; return the new values by file number."""
    rows = {row.number: row for row in _changeable(imported, files)}
    if unknown := sorted(set(files) - set(rows)):
        text = _("There is no understood file %(number)d in this import.")
        raise ServiceError(
            text % {"number": unknown[0]}, {"files": text % {"number": unknown[0]}}, 400
        )
    changed: dict[str, dict[str, object]] = {}
    for number, change in files.items():
        row = rows[number]
        values = {k: v.strip() if isinstance(v, str) else v for k, v in change.items()}
        if new := {name: value for name, value in values.items() if getattr(row, name) != value}:
            changed[str(number)] = new
        for name, value in new.items():
            setattr(row, name, value)
        check_host(row.host_name)
    new_rows = [rows[int(number)] for number in changed]
    ImportFile.objects.bulk_update(new_rows, CHANGEABLE, batch_size=500)
    files_reread(row.pk for row in new_rows if "ignore_commands" in changed[str(row.number)])
    return changed


def _changeable(imported: Import, numbers: Iterable[int]) -> list[ImportFile]:
    rows = imported.files.filter(number__in=list(numbers), state=FileState.PARSED)
    return list(rows.filter(primary_file=None).only("batch", "number", *CHANGEABLE))

"""The catalogue of disk models: entries, CSV and the examples that come with benchlab."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError, from_validation_error
from apps.inventory.domain.catalogue import read_catalogue
from apps.inventory.domain.host_lists import ListError
from apps.inventory.models import CatalogueEntry
from apps.inventory.schemas.catalogue import FIELDS, CatalogueValues

EXAMPLES = Path(__file__).parents[1] / "catalogue_examples.csv"


@dataclass(frozen=True)
class CatalogueImport:
    """Number of entries of an import by what became of them."""

    created: int
    changed: int
    same: int


@transaction.atomic
def catalogue_entry_save(
    *, user: User, values: Mapping[str, object], entry: CatalogueEntry | None = None
) -> CatalogueEntry:
    """Create or change an entry. `values`: those that are set, by field.

    Raises: PermissionDenied below disk owner; ServiceError (400) for an invalid value.
    """
    require_role(user, Role.DISK_OWNER)
    verb = "change" if entry else "create"
    row = CatalogueEntry.objects.select_for_update().get(pk=entry.pk) if entry else CatalogueEntry()
    return _saved(row, user, verb, values)


@transaction.atomic
def catalogue_entry_delete(*, user: User, entry: CatalogueEntry) -> None:
    """Delete an entry; its disks have no figures of it any more.

    Raises: PermissionDenied below disk owner.
    """
    require_role(user, Role.DISK_OWNER)
    audit_record(user=user, action="delete", subject=entry)
    entry.delete()


@transaction.atomic
def catalogue_import(*, user: User, text: str) -> CatalogueImport:
    """Create or change the entries of a CSV, all or none; others stay.

    An entry is the same by pattern and capacity.
    Raises: PermissionDenied below disk owner; ServiceError (400) with the lines at fault.
    """
    require_role(user, Role.DISK_OWNER)
    try:
        rows = read_catalogue(text)
    except ListError as error:
        raise ServiceError(str(error), {"text": str(error)}, status=400) from error
    stored = {_key(row): row for row in CatalogueEntry.objects.select_for_update()}
    counts = {"create": 0, "change": 0, "same": 0}
    seen: set[tuple[str, int | None]] = set()
    for line, values in rows:
        row = CatalogueEntry(**values)
        if _key(row) in seen:
            raise _line_error(line, _("The entry is there twice."))
        seen.add(_key(row))
        counts[_import_row(stored.get(_key(row)), values, line, user)] += 1
    return CatalogueImport(counts["create"], counts["change"], counts["same"])


def catalogue_examples_add(*, user: User) -> CatalogueImport:
    """Add the examples that come with benchlab."""
    return catalogue_import(user=user, text=EXAMPLES.read_text())


def _import_row(row: CatalogueEntry | None, values: CatalogueValues, line: int, user: User) -> str:
    if row and all(getattr(row, name) == value for name, value in values.items()):
        return "same"
    verb = "change" if row else "create"
    try:
        _saved(row or CatalogueEntry(), user, verb, values)
    except ServiceError as error:
        raise _line_error(line, error.message) from error
    return verb


def _line_error(line: int, reason: str) -> ServiceError:
    words = _("Line %(line)d: %(reason)s") % {"line": line, "reason": reason}
    return ServiceError(words, {"text": words}, status=400)


def _saved(
    row: CatalogueEntry, user: User, verb: str, values: Mapping[str, object]
) -> CatalogueEntry:
    for name in FIELDS:
        if name in values:
            setattr(row, name, values[name])
    try:
        row.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    row.save()
    audit_record(user=user, action=verb, subject=row, values=dict(values))
    return row


def _key(row: CatalogueEntry) -> tuple[str, int | None]:
    return row.pattern, row.capacity_bytes

"""Audit entries as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.accounts.domain.audit_labels import ACTIONS, OBJECTS
from apps.accounts.models import AuditEntry


@dataclass(frozen=True)
class AuditRow:
    """Audit entry with its action, object and details in the reader's language."""

    entry: AuditEntry

    @property
    def action(self) -> str:
        return str(ACTIONS.get(self.entry.action, self.entry.action))

    @property
    def object_type(self) -> str:
        return str(OBJECTS.get(self.entry.object_type, self.entry.object_type))

    @property
    def details(self) -> list[tuple[str, str]]:
        return list(_flat(self.entry.detail))


def _flat(detail: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a detail and of those within it; empty ones are left out."""
    for name, value in detail.items():
        if isinstance(value, dict):
            yield from _flat(value)
        elif value not in ("", None, []):
            yield name, _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value)

"""Fields of a form behind a title."""

from __future__ import annotations

from dataclasses import dataclass

from django.forms import BoundField
from django.utils.functional import Promise

NOTHING = ("None", "", "0", "False", "[]")


@dataclass(frozen=True)
class Folded:
    """Fields behind a title; `is_open` if one of them has a value or an error."""

    key: str
    title: str | Promise
    help: str | Promise
    fields: list[BoundField]

    @property
    def labels(self) -> str:
        return ", ".join(str(field.label) for field in self.fields)

    @property
    def is_open(self) -> bool:
        return any(field.errors or _has_value(field) for field in self.fields)


def _has_value(field: BoundField) -> bool:
    """Return True if the field differs from its initial value."""
    value = str(field.value())
    return value not in NOTHING and value != str(field.field.initial)

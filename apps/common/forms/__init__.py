"""Shared parts of forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms

from apps.common.errors import ServiceError

T = TypeVar("T")
Cleaned = dict[str, Any]
"""Cleaned data by field name; each field's `clean` determines the type."""
Context = dict[str, Any]
"""Template context and attributes of a widget, untyped in Django."""


class SecretTextarea(forms.Textarea):
    """Textarea of a secret, which is not rendered again, as in PasswordInput."""

    def get_context(self, name: str, value: Any, attrs: Context | None) -> Context:
        return super().get_context(name, None, attrs)


def add_refusal(form: forms.BaseForm, refused: ServiceError) -> None:
    """Add a service's errors to the form's fields, or to the form.

    The last part of a dotted name is the field.
    """
    shown = False
    for name, texts in refused.fields.items():
        field = name.rpartition(".")[2]
        for text in texts:
            form.add_error(field if field in form.fields else None, text)
            shown = True
    if not shown or refused.status != 400:
        form.add_error(None, refused.message)


def made(form: forms.BaseForm, make: Callable[[], T]) -> T | None:
    """Return the row that `make` creates from a valid bound form.

    None for an invalid form; a ServiceError becomes an error of the form.
    """
    if not form.is_valid():
        return None
    try:
        return make()
    except ServiceError as refused:
        add_refusal(form, refused)
        return None

"""Parts that forms share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms

from apps.common.errors import ServiceError

T = TypeVar("T")
Cleaned = dict[str, Any]
"""Values of a valid form by their fields' names; each field's `clean` decides its type."""
Context = dict[str, Any]
"""Names that a widget's template reads, and a widget's attributes: Django's own, untyped."""


class SecretTextarea(forms.Textarea):
    """For a secret of several lines: as with PasswordInput, what was typed is not sent back."""

    def get_context(self, name: str, value: Any, attrs: Context | None) -> Context:
        return super().get_context(name, None, attrs)


def add_refusal(form: forms.BaseForm, refused: ServiceError) -> None:
    """Show what a service refused beside the fields it blames, or above the form. Of a dotted name
    the last part is a field.
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
    """The row that `make` makes of a form that was sent and is right. None where it is not, or a
    service refuses it: then the form says why.
    """
    if not form.is_valid():
        return None
    try:
        return make()
    except ServiceError as refused:
        add_refusal(form, refused)
        return None

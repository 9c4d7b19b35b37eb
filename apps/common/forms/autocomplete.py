"""Field for a row of a long table: a text input of its number or name.

With JavaScript it offers matches of the server (static/js/lib/autocomplete.js).
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters.fields import ModelChoiceField

from apps.common.forms import Context


class AutocompleteInput(forms.TextInput):
    """Input that displays the chosen row's name. `kind`: see benchlab.autocomplete."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.field: AutocompleteField | None = None

    def get_context(self, name: str, value: Any, attrs: Context | None) -> Context:
        more = {
            "data-autocomplete-url": reverse("choices", args=[self.kind]),
            "placeholder": _("choose") if self.is_required else _("any"),
            "autocomplete": "off",
        }
        text = self.field.name_of(value) if self.field is not None else ""
        if text:
            more["data-autocomplete-selected"] = json.dumps([{"value": str(value), "text": text}])
        return super().get_context(name, value, {**more, **(attrs or {})})


class AutocompleteField(ModelChoiceField):  # type: ignore[misc] # django-filter ships no types
    """Row by its number, or by its exact name if the text is not a number."""

    def __init__(self, *args: Any, kind: str, by: str, **options: Any) -> None:
        self.by = by
        super().__init__(*args, widget=AutocompleteInput(kind), **options)
        self.widget.field = self

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        if text and not (text.isascii() and text.isdigit()) and "\0" not in text:
            result = self.queryset.filter(**{self.by: text}).first()
            return result or super().to_python(text)
        return super().to_python(value)

    def name_of(self, value: Any) -> str:
        """Return the name of a chosen row; "" without one."""
        try:
            row = self.to_python(value)
        except forms.ValidationError:
            return ""
        return str(row) if row is not None else ""

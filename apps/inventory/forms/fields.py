"""Fields and widgets shared by several forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.forms import Context


class Suggesting(forms.TextInput):
    """A text input with suggested values."""

    def __init__(self, suggestions: Iterable[str], attrs: Context | None = None) -> None:
        super().__init__(attrs)
        self.suggestions = list(suggestions)

    def render(
        self, name: str, value: Any, attrs: Context | None = None, renderer: Any = None
    ) -> SafeString:
        list_id = f"{name}-suggestions"
        shown = super().render(name, value, {**(attrs or {}), "list": list_id}, renderer)
        options = format_html_join("", '<option value="{}">', ((one,) for one in self.suggestions))
        return format_html('{}<datalist id="{}">{}</datalist>', shown, list_id, options)

"""What forms have in common."""

from __future__ import annotations

from django import forms

from apps.common.errors import Refused


def add_refusal(form: forms.BaseForm, refused: Refused) -> None:
    """Show what a service refused beside the fields it blames, or above the form."""
    shown = False
    for name, texts in refused.fields.items():
        for text in texts:
            known = name in form.fields
            form.add_error(name if known else None, text)
            shown = True
    if not shown or refused.status != 400:
        form.add_error(None, refused.message)

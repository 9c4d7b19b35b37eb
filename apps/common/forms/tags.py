"""Tags as typed, separated by spaces or commas, and the form to add and remove them."""

from __future__ import annotations

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.common.domain.typed_text import narrow

TAG = re.compile(r"[\w-]{1,40}")


def tags_typed(text: str) -> list[str]:
    """Return the distinct tags of a text. Raises: ValidationError."""
    words = [word for word in re.split(r"[\s,]+", narrow(text)) if word]
    wrong = [word for word in words if not TAG.fullmatch(word)]
    if wrong:
        raise ValidationError(
            _("A tag has up to 40 letters, digits, dashes and underscores: %(tag)s"),
            params={"tag": wrong[0]},
        )
    return sorted(set(words))


class TagsForm(forms.Form):
    """Tags to add to and to remove from several rows."""

    add = forms.CharField(
        label=_("Add tags"), required=False, max_length=400, help_text=_("Words with spaces.")
    )
    remove = forms.CharField(label=_("Remove tags"), required=False, max_length=400)
    nothing = _("Select an action: add tags, or remove some.")

    def clean_add(self) -> list[str]:
        return tags_typed(self.cleaned_data["add"])

    def clean_remove(self) -> list[str]:
        return tags_typed(self.cleaned_data["remove"])

    def clean(self) -> None:
        """Raise ValidationError if both are empty."""
        if not self.errors and not any(self.cleaned_data.values()):
            raise ValidationError(self.nothing)

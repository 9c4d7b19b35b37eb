"""Form of a list that is pasted or uploaded."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from apps.common.forms import Cleaned
from apps.inventory.domain.host_lists import MAX_BYTES, ListError, decode

CODE = {"class": "mono", "spellcheck": "false", "wrap": "off"}


def list_field(label: Any, *, placeholder: str, help_text: Any) -> forms.CharField:
    """Return the field of a list as text, ten lines high."""
    return forms.CharField(
        label=label,
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={**CODE, "rows": 10, "placeholder": placeholder}),
        help_text=help_text,
    )


class PastedListForm(forms.Form):
    """Form with a list in `text`, which its subclasses declare, or in `file`."""

    field_order = ("text", "file")
    file = forms.FileField(
        label=_("Or a file"), required=False, help_text=_("Its text replaces the one above.")
    )

    def clean_file(self) -> str:
        """Return the text of the file, "" without one."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        try:
            return decode(file.read(MAX_BYTES + 1))
        except ListError as error:
            raise forms.ValidationError(str(error)) from error

    def clean(self) -> Cleaned:
        result: Cleaned = super().clean() or self.cleaned_data
        result["text"] = result.get("file") or result.get("text", "")
        if not self.errors and not result["text"].strip():
            self.add_error("text", _("Paste a list, or choose a file."))
        return result

    def show_text(self, text: str) -> None:
        """Render `text`, which may come from the file, so that the next step has it."""
        data: Any = self.data
        self.data = data.copy()
        self.data["text"] = text  # type: ignore[index] # a QueryDict of a request

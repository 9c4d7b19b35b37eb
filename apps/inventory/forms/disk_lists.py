"""Form for a list of disks to enrol."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from apps.common.forms import Cleaned
from apps.inventory.domain.host_lists import MAX_BYTES, ListError, decode


class DiskListForm(forms.Form):
    """A list of disks as text or file."""

    text = forms.CharField(
        label=_("Disks"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(
            attrs={
                "class": "mono",
                "spellcheck": "false",
                "wrap": "off",
                "rows": 10,
                "placeholder": "host,serial\nnode01,S4EVNX0M123456",
            }
        ),
        help_text=_(
            "CSV with a first line such as host,serial,wwn,model,note; host and serial are needed. "
            "Each line names one disk. At most 2000 disks."
        ),
    )
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

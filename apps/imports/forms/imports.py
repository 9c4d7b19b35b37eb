"""Forms of the import pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as lazy

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.imports.models import Import, ImportFile
from apps.imports.services import ImportDraft
from apps.tools.pasted_commands.job_import import MAX_TEXT

NAMES_FORM = "import-names"
"""HTML id of the form that submits all inputs of the page."""


class NamesForm(forms.Form):
    """Names for all files of an import."""

    name = forms.CharField(
        label=lazy("Name"), required=False, max_length=120,
        help_text=lazy("Name of the run. Default: what the import contains."),
    )  # fmt: skip
    host_name = forms.CharField(
        label=lazy("Host"), required=False, max_length=64,
        help_text=lazy("Where it was measured. A host of this name is made if there is none."),
    )  # fmt: skip
    target_name = forms.CharField(
        label=lazy("Target"), required=False, max_length=200,
        help_text=lazy("What was tested, in your words: “vdb”, “pool test”."),
    )  # fmt: skip
    tuning_name = forms.CharField(
        label=lazy("Tuning"), required=False, max_length=80,
        help_text=lazy("Under which settings: “before”, “after tuning”."),
    )  # fmt: skip
    ignore_job_names = forms.BooleanField(
        label=lazy("Ignore job names"), required=False,
        help_text=lazy("Tests that differ only in the job name are repeats of each other."),
    )  # fmt: skip
    keep_duplicates = forms.BooleanField(
        label=lazy("Keep repeated outputs"), required=False,
        help_text=lazy("An output that a text has twice counts as two results."),
    )  # fmt: skip
    job_options = forms.CharField(
        label=lazy("Options as they were run"), required=False, max_length=MAX_TEXT,
        help_text=lazy(
            "The command line or job file. Outputs leave flags out (fio: --time_based, --thread): "
            "with these the results are filed under all their parameters."
        ),
        widget=forms.Textarea(attrs={"rows": 2, "class": "code", "spellcheck": "false"}),
    )  # fmt: skip
    note = forms.CharField(
        label=lazy("Note"), required=False, max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, user: User, imported: Import | None = None) -> None:
        initial = vars(imported) | {"team": imported.team_id} if imported else None
        super().__init__(data, initial=initial)
        if imported:
            del self.fields["job_options"]  # used only while files are read
        self.fields["team"] = team_field(user)

    def draft(self) -> ImportDraft:
        """Return the input for the services."""
        return ImportDraft(**self.cleaned_data)


class FileForm(forms.Form):
    """File of the preview."""

    selected = forms.BooleanField(required=False)
    ignore_job_names = forms.BooleanField(required=False)
    keep_duplicates = forms.BooleanField(required=False)
    ignore_commands = forms.BooleanField(required=False)
    host_name = forms.CharField(required=False, max_length=64)
    target_name = forms.CharField(required=False, max_length=200)
    tuning_name = forms.CharField(required=False, max_length=80)


class ManyForm(forms.Form):
    """Equal names for many files: those whose path contains a text."""

    contains = forms.CharField(
        label=lazy("Files whose path contains"), required=False, max_length=200,
        help_text=lazy("Nothing means all of them, also those on other pages."),
    )  # fmt: skip
    host_name = forms.CharField(label=lazy("Host"), required=False, max_length=64)
    target_name = forms.CharField(label=lazy("Target"), required=False, max_length=200)
    tuning_name = forms.CharField(label=lazy("Tuning"), required=False, max_length=80)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix="many")
        for field in self.fields.values():
            field.widget.attrs["form"] = NAMES_FORM

    def names(self) -> dict[str, str]:
        """Return the entered names; an empty field changes nothing."""
        given = ("host_name", "target_name", "tuning_name")
        return {name: self.cleaned_data[name] for name in given if self.cleaned_data[name]}


def file_changes(
    data: MultiValueDict[str, str], rows: Iterable[ImportFile]
) -> dict[int, dict[str, object]]:
    """Return the changes of files in the preview, by file number."""
    changes = {}
    for row in rows:
        form = FileForm(data, prefix=str(row.number))
        if f"{row.number}-tuning_name" in data and form.is_valid():
            changes[row.number] = dict(form.cleaned_data)
    return changes

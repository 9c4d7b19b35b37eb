"""The form that names a run's results as a baseline."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.models import Disk, Target
from apps.results.services.baselines import BaselineDraft
from apps.runs.models import Run


class BaselineForm(forms.Form):
    """A name, and of what: a target of the run, or all disks of a model."""

    name = forms.CharField(label=_("Name"), max_length=80, initial=_("as delivered"))
    of = forms.ChoiceField(label=_("Baseline of"))
    case = forms.IntegerField(
        label=_("Only the test"),
        required=False,
        min_value=1,
        help_text=_("Its number; empty for all results of the run."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, data: Any = None, *, run: Run) -> None:
        super().__init__(data)
        self.run = run
        targets = run.targets.exclude(target=None).select_related("target")
        self.targets: dict[str, Target] = {
            f"target:{row.target_id}": row.target for row in targets if row.target is not None
        }
        disks = Disk.objects.filter(target__in=[row.pk for row in self.targets.values()])
        models = sorted({disk.model for disk in disks if disk.model})
        self.fields["of"].choices = [  # type: ignore[attr-defined] # it is the choice field above
            *((key, str(row)) for key, row in self.targets.items()),
            *(
                (f"model:{name}", _("all disks of model {name}").format(name=name))
                for name in models
            ),
        ]

    def clean_case(self) -> Any:
        """The test of this run."""
        number = self.cleaned_data["case"]
        found = self.run.cases.filter(pk=number).first() if number else None
        if number and found is None:
            raise forms.ValidationError(_("This run has no such test."))
        return found

    def draft(self) -> BaselineDraft:
        """The baseline that is asked for."""
        data = self.cleaned_data
        kind, _sep, rest = data["of"].partition(":")
        return BaselineDraft(
            run=self.run,
            name=data["name"],
            target=self.targets.get(data["of"]),
            model=rest if kind == "model" else "",
            case=data["case"],
            note=data["note"],
        )

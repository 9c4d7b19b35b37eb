"""Form to create a baseline from a run."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.models import DiskModel, Target
from apps.results.services.baselines import BaselineDraft
from apps.runs.models import Run


class BaselineForm(forms.Form):
    """Name of a baseline, and its target or disk model."""

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
        models = DiskModel.objects.filter(disks__target__in=self.targets.values()).distinct()
        self.disk_models: dict[str, DiskModel] = {f"model:{row.name}": row for row in models}
        self.fields["of"].choices = [  # type: ignore[attr-defined] # it is the choice field above
            *((key, str(row)) for key, row in self.targets.items()),
            *(
                (key, _("all disks of model {name}").format(name=row.name))
                for key, row in self.disk_models.items()
            ),
        ]

    def clean_case(self) -> Any:
        """Return the case, which must belong to the run."""
        number = self.cleaned_data["case"]
        result = self.run.cases.filter(pk=number).first() if number else None
        if number and result is None:
            raise forms.ValidationError(_("This run has no such test."))
        return result

    def draft(self) -> BaselineDraft:
        data = self.cleaned_data
        return BaselineDraft(
            run=self.run,
            name=data["name"],
            target=self.targets.get(data["of"]),
            disk_model=self.disk_models.get(data["of"]),
            case=data["case"],
            note=data["note"],
        )

"""The form of the plan wizard for a disk or pool."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.inventory.models import Disk, Pool
from apps.plans.domain.wizard_goals import SECONDS, PlanWizard, loads, questions_for
from apps.plans.selectors.io_schedulers import schedulers_of
from apps.tools.plan_templates import LoadTarget


class StartForm(forms.Form):
    question = forms.ChoiceField(label=lazy("What do you compare?"), widget=forms.RadioSelect)
    loads = forms.MultipleChoiceField(
        label=lazy("With which workload?"), widget=forms.CheckboxSelectMultiple
    )
    seconds = forms.TypedChoiceField(
        label=lazy("How long is each test?"),
        choices=list(SECONDS.items()),
        coerce=int,
        initial=60,
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any = None, *, target: Disk | Pool) -> None:
        self.kind: LoadTarget = "pool" if isinstance(target, Pool) else "disk"
        offered = questions_for(schedulers_of(target))
        known = loads(self.kind)
        super().__init__(data, initial={"question": offered[0][0], "loads": list(known)[:1]})
        self.fields["question"].choices = offered  # type: ignore[attr-defined] # declared above
        self.fields["loads"].choices = [  # type: ignore[attr-defined] # declared above
            (key, _(load.name)) for key, (_tool, load) in known.items()
        ]

    def start(self) -> PlanWizard:
        """Return the values of a valid form."""
        data = self.cleaned_data
        return PlanWizard(data["question"], tuple(data["loads"]), data["seconds"], self.kind)

"""The form of a plan and the forms of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.common.domain.preferences import preferences
from apps.common.errors import ServiceError
from apps.common.forms.autocomplete import AutocompleteField
from apps.common.forms.schema_form import form_fields, form_initial, form_values
from apps.plans.forms.layout import FormLayout
from apps.plans.forms.pasting import PastedReport, pasted_report
from apps.plans.forms.steps import MAX_STEPS, StepForm, new_step_form, posted_step_forms
from apps.plans.forms.tunings import TuningFields
from apps.plans.models import TestPlan
from apps.plans.schemas.factors import HOST, PARAM, TARGET, TUNING
from apps.plans.schemas.plan import PLAN_SPEC, PlanSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.schedules import WEEKDAYS
from apps.plans.selectors.target_choices import host_choices, pair_choices, target_choices
from apps.plans.selectors.target_names import mesh_of, target_value, targets_named
from apps.tools.added_params import BACKGROUND
from apps.tools.registry import load_params, param_names

HOURS = "stopping_rule_max_hours"
MAX_OPEN_STEPS = 2
SEARCHED = {"data-autocomplete": "", "data-autocomplete-max": "500"}


def load_choices() -> list[tuple[str, Any]]:
    """Return the load parameters whose largest value a plan may search."""
    params = ((name, _(label)) for name, label in load_params().items())
    return [("", lazy("not looked for")), *params]


def factor_choices() -> list[tuple[str, Any]]:
    """Return the factors that a plan may compare, with every parameter of a tool."""
    return [
        (TUNING, lazy("the tunings")),
        (TARGET, lazy("the targets")),
        (HOST, lazy("the hosts")),
        (f"{PARAM}{BACKGROUND}", lazy("the background loads")),
        (_("a parameter that a step lists"), [
            (f"{PARAM}{name}", _("values of {name}").format(name=name)) for name in param_names()
        ]),
    ]  # fmt: skip


class PlanForm(TuningFields):
    """The fields of a plan: those of its specification, and its related rows."""

    name = forms.CharField(label=lazy("Name"), max_length=100)
    description = forms.CharField(
        label=lazy("Description"), required=False, max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip
    targets = forms.MultipleChoiceField(
        label=lazy("Disks, directories, groups and pools"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=lazy(
            "Tests that write to a disk destroy its data; the disk must be enrolled. A group is "
            "used all at once."
        ),
    )
    mesh = forms.MultipleChoiceField(
        label=lazy("Network: every ordered pair of these hosts (mesh)"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=lazy("Each host sends to each other one, one pair after another."),
    )
    pairs = forms.MultipleChoiceField(
        label=lazy("Network: single pairs of hosts"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-autocomplete": ""}),
        help_text=lazy("The client's host first, then the server's."),
    )

    def __init__(self, data: Any = None, *, user: User, draft: PlanDraft | None = None) -> None:
        super().__init__(data, initial=_initial(draft) if draft else None)
        self.fields = form_fields(PLAN_SPEC.kind) | self.fields | {"team": team_field(user)}
        del self.fields["load_search_max_hours"]  # in the field of the stopping rule
        self._offer("load_search_parameter", load_choices())
        self._offer("stopping_rule_factor", factor_choices())
        self.fields["stopping_rule_factor"].widget.attrs |= SEARCHED
        self.offer_tunings(draft.tunings if draft else ())
        offered = pair_choices([*_posted_pairs(data), *(self.initial.get("pairs") or ())])
        self.layout = FormLayout(self)
        self._offer("targets", target_choices())
        self._offer("mesh", host_choices())
        self._offer("pairs", offered)

    def _offer(self, name: str, choices: Sequence[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined] # declared above

    def clean_mesh(self) -> list[str]:
        hosts: list[str] = self.cleaned_data["mesh"]
        if len(hosts) == 1:
            raise forms.ValidationError(_("A mesh needs at least two hosts."))
        return hosts

    def target_values(self) -> list[str]:
        """Return every chosen target once; a mesh as its pairs."""
        data = self.cleaned_data
        mesh = mesh_of(int(host) for host in data.get("mesh", []))
        return list(dict.fromkeys([*data.get("targets", []), *data.get("pairs", []), *mesh]))

    def draft(self, steps: Sequence[StepForm]) -> PlanDraft:
        """Return the draft as entered; invalid fields have their initial value."""
        data = self.cleaned_data
        return PlanDraft(
            name=data.get("name", ""),
            description=data.get("description", ""),
            spec=self._spec(steps),
            targets=targets_named(self.target_values()),
            tunings=self.chosen_tunings(),
            baseline=data.get("baseline"),
            team=data.get("team"),
        )

    def _spec(self, steps: Sequence[StepForm]) -> PlanSpec:
        values = form_values(PLAN_SPEC.kind, self.cleaned_data)
        if values.get("load_search_parameter"):
            values["load_search_max_hours"] = self.cleaned_data.get(HOURS)
        return PLAN_SPEC.kind(steps=tuple(step.data_as_step() for step in steps), **values)

    def field_of(self, name: str) -> str | None:
        """Return the field for a dotted name of a specification; of a group its first field."""
        name = HOURS if name == "load_search_max_hours" else name.replace(".", "_")
        if name in self.fields:
            return name
        return next((field for field in self.fields if field.startswith(f"{name}_")), None)


class PlanForms:
    """A plan's form and those of its steps, shown and validated together."""

    def __init__(
        self, data: QueryDict | None, *, user: User, draft: PlanDraft | None = None
    ) -> None:
        self.plan = PlanForm(data, user=user, draft=draft)
        self.pasted: PastedReport | None = None
        if data is not None:
            self.steps = posted_step_forms(data)
        else:
            self.steps = [new_step_form(step) for step in (draft.spec.steps if draft else ())]

    def paste(self, text: str) -> None:
        """Append the steps of a text."""
        self.pasted = pasted_report(text, max_steps=MAX_STEPS - len(self.steps))
        self.steps = [*self.steps, *map(new_step_form, self.pasted.steps)]

    @property
    def opens_steps(self) -> bool:
        """Return True if the steps are few enough to be open at first."""
        return len(self.steps) <= MAX_OPEN_STEPS

    def is_valid(self) -> bool:
        return all([self.plan.is_valid(), *(step.is_valid() for step in self.steps)])

    def draft(self) -> PlanDraft:
        """Return the draft as entered, complete or not."""
        self.plan.is_valid()
        return self.plan.draft(self.steps)

    def add_refusal(self, refused: ServiceError) -> None:
        """Add the errors of a service to the fields that they name."""
        for name, texts in (refused.fields or {"": [refused.message]}).items():
            form, field = self.place(name)
            form.add_error(field, texts)

    def place(self, name: str) -> tuple[forms.Form, str | None]:
        """Return form and field of a dotted name such as "steps.0.params.size"."""
        parts = name.split(".")
        if parts[0] == "steps" and len(parts) > 2 and int(parts[1]) < len(self.steps):
            step = self.steps[int(parts[1])]
            return step, step.input_of(parts[-1])
        return self.plan, self.plan.field_of(name)


class AdviceForm(forms.Form):
    """Key of a piece of advice: the step's index from 0, empty for a field of the plan."""

    step = forms.IntegerField(min_value=0, required=False)
    field = forms.CharField(max_length=80)


class OtherPlanForm(forms.Form):
    """The plan that a plan is compared with."""

    other = AutocompleteField(
        queryset=TestPlan.objects.all(), kind="plans", by="name", label=lazy("Other plan")
    )


class ScheduleForm(forms.Form):
    """A time of day in the user's time zone."""

    at = forms.TimeField(widget=forms.TimeInput(attrs={"type": "time"}))
    weekday = forms.TypedChoiceField(
        label=lazy("Day"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", lazy("every day")), *WEEKDAYS],
    )
    low_priority = forms.BooleanField(label=lazy("Low priority"), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.zone = preferences().time_zone
        shown = self.zone.replace("_", " ")
        self.fields["at"].label = _("Time ({zone})").format(zone=shown)


def _posted_pairs(data: Any) -> list[str]:
    return list(data.getlist("pairs")) if isinstance(data, QueryDict) else []


def _initial(draft: PlanDraft) -> dict[str, object]:
    values = [target_value(target) for target in draft.targets]
    initial = form_initial(PLAN_SPEC.kind, draft.spec) | {
        "name": draft.name,
        "description": draft.description,
        "team": draft.team,
        "targets": [value for value in values if not value.startswith("pair:")],
        "pairs": [value for value in values if value.startswith("pair:")],
        "tunings": [tuning.pk for tuning in draft.tunings],
        "baseline": draft.baseline.pk if draft.baseline else None,
    }
    if draft.spec.stopping_rule is None:
        initial[HOURS] = draft.spec.load_search_max_hours
    return initial

"""The form of a plan: its own fields and the forms of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.accounts.forms import team_field
from apps.accounts.models import User
from apps.common.errors import Refused
from apps.common.preferences import preferences
from apps.plans.forms import steady_state
from apps.plans.forms.layout import FormLayout
from apps.plans.forms.pasting import PastedReport, pasted_report
from apps.plans.forms.preconditioning import FIELDS, PreparationFields, initial_of, preparation_of
from apps.plans.forms.steady_state import RoundsFields
from apps.plans.forms.steps import MAX_STEPS, StepForm, new_step_form, posted_step_forms
from apps.plans.forms.tunings import TuningFields
from apps.plans.schemas.factors import HOST, PARAM, TARGET, TUNING
from apps.plans.schemas.plan import FAIL, INTERLEAVED, LISTED, ORDERS, PlanSpec
from apps.plans.schemas.stopping import LEAST_WITHIN, MOST_BLOCKS, MOST_HOURS, MOST_WITHIN, until_of
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.schedules import WEEKDAYS
from apps.plans.selectors.target_choices import host_choices, pair_choices, target_choices
from apps.plans.selectors.target_names import mesh_of, target_value, targets_named
from apps.tools.registry import load_params, param_names

# Fields of the spec that another field of the form holds.
FORM_FIELDS = {
    "load_search_max_hours": "until_hours",
    "stopping_rule.precision_percent": "until_within",
    "stopping_rule.factor": "until_factor",
    "stopping_rule.max_blocks": "until_blocks",
    "stopping_rule.max_hours": "until_hours",
    "preconditioning": FIELDS[0],
    "steady_state": steady_state.FIELDS[0],
}


def factor_choices() -> list[tuple[str, Any]]:
    """Factors that a plan may decide between, with every parameter of a tool."""
    return [
        (TUNING, lazy("the tunings")),
        (TARGET, lazy("the targets")),
        (HOST, lazy("the hosts")),
        (_("a parameter that a step lists"), [
            (f"{PARAM}{name}", _("values of {name}").format(name=name)) for name in param_names()
        ]),
    ]  # fmt: skip


class PlanForm(TuningFields, PreparationFields, RoundsFields):
    name = forms.CharField(label=lazy("Name"), max_length=100)
    description = forms.CharField(
        label=lazy("Description"), required=False, max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
    )  # fmt: skip
    repeats = forms.IntegerField(
        label=lazy("Repeats"),
        min_value=1,
        max_value=100,
        initial=6,
        help_text=lazy(
            "How often each test is done. A verdict about a tuning needs 6 at least, more where "
            "figures vary."
        ),
    )
    order = forms.ChoiceField(
        label=lazy("Order"),
        choices=ORDERS,
        initial=INTERLEAVED,
        help_text=lazy(
            "Interleaved: blocks have each tuning several times in random order, so that drift "
            "over hours does not look like a tuning."
        ),
    )
    until_within = forms.FloatField(
        label=lazy("Until decided: every interval within (± %)"),
        required=False,
        min_value=LEAST_WITHIN,
        max_value=MOST_WITHIN,
        help_text=lazy(
            "Blocks are added until every comparison is known that well, or a limit is reached. "
            "Empty: the repeats above and no more. 3 is usual."
        ),
    )
    until_factor = forms.ChoiceField(
        label=lazy("Compare levels of"),
        required=False,
        choices=factor_choices,
        initial=TUNING,
        widget=forms.Select(attrs={"data-picker": "", "data-picker-max": "500"}),
        help_text=lazy(
            "What is compared: the tunings, the targets, the hosts, or the values of a parameter "
            "that a step lists. Blocks have them in random order."
        ),
    )
    until_blocks = forms.IntegerField(
        label=lazy("At most so many blocks"),
        required=False,
        min_value=1,
        max_value=MOST_BLOCKS,
        help_text=lazy("With the first ones. Empty: 20."),
    )
    until_hours = forms.FloatField(
        label=lazy("At most so many hours"),
        required=False,
        min_value=0.01,
        max_value=MOST_HOURS,
        help_text=lazy(
            "No block is added that would end later, also of a search for the largest load. Empty: "
            "no limit of time."
        ),
    )
    load_search_parameter = forms.ChoiceField(
        label=lazy("Largest load at which the expectations hold"),
        required=False,
        choices=lambda: [
            ("", lazy("not looked for")),
            *((name, _(label)) for name, label in load_params().items()),
        ],
        help_text=lazy(
            "Begins with the values that a step lists of it, and measures between the largest that "
            "keeps what the step expects and the smallest that does not."
        ),
    )
    targets = forms.MultipleChoiceField(
        label=lazy("Disks, directories, groups and pools"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-picker": ""}),
        help_text=lazy(
            "Tests that write to a disk destroy its data; the disk must be enrolled. A group is "
            "used all at once."
        ),
    )
    mesh = forms.MultipleChoiceField(
        label=lazy("Network: every ordered pair of these hosts (mesh)"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-picker": ""}),
        help_text=lazy("Each host sends to each other one, one pair after another."),
    )
    pairs = forms.MultipleChoiceField(
        label=lazy("Network: single pairs of hosts"),
        required=False,
        widget=forms.SelectMultiple(attrs={"data-picker": ""}),
        help_text=lazy("The client's host first, then the server's."),
    )

    def __init__(self, data: Any = None, *, user: User, draft: PlanDraft | None = None) -> None:
        super().__init__(data, initial=_initial(draft) if draft else None)
        self.fields["team"] = team_field(user)
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
        """Every target that was chosen, a mesh as its pairs, each once."""
        data = self.cleaned_data
        mesh = mesh_of(int(host) for host in data.get("mesh", []))
        return list(dict.fromkeys([*data.get("targets", []), *data.get("pairs", []), *mesh]))

    def draft(self, steps: Sequence[StepForm]) -> PlanDraft:
        """The draft as it was typed; fields that could not be read have their first value."""
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
        data, hours = self.cleaned_data, self.cleaned_data.get("until_hours")
        parameter = data.get("load_search_parameter", "")
        within, blocks = data.get("until_within"), data.get("until_blocks")
        return PlanSpec(
            steps=tuple(step.data_as_step() for step in steps),
            repeats=data.get("repeats", 1),
            order=data.get("order", LISTED),
            on_tuning_unavailable=data.get("on_tuning_unavailable") or FAIL,
            preconditioning=preparation_of(data),
            steady_state=steady_state.rounds_of(data),
            stopping_rule=until_of(within, blocks, hours, data.get("until_factor", "")),
            load_search_parameter=parameter,
            load_search_max_hours=hours if parameter else None,
        )


class PlanForms:
    """A plan's form and its steps', shown and judged together."""

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
        """Add the steps of a text behind those that are there."""
        self.pasted = pasted_report(text, places=MAX_STEPS - len(self.steps))
        self.steps = [*self.steps, *map(new_step_form, self.pasted.steps)]

    def is_valid(self) -> bool:
        return all([self.plan.is_valid(), *(step.is_valid() for step in self.steps)])

    def draft(self) -> PlanDraft:
        """The draft as it was typed, complete or not."""
        self.plan.is_valid()
        return self.plan.draft(self.steps)

    def add_refusal(self, refused: Refused) -> None:
        """A service's sentences beside the fields they are about."""
        for name, texts in (refused.fields or {"": [refused.message]}).items():
            form, field = self.place(name)
            form.add_error(field, texts)

    def place(self, name: str) -> tuple[forms.Form, str | None]:
        """The form and field of a dotted name such as "steps.0.params.size"."""
        parts = name.split(".")
        if parts[0] == "steps" and len(parts) > 2 and int(parts[1]) < len(self.steps):
            step = self.steps[int(parts[1])]
            return step, step.input_of(parts[-1])
        name = FORM_FIELDS.get(name, name)
        return self.plan, name if name in self.plan.fields else None


class ScheduleForm(forms.Form):
    """A time on the clock of whoever asks."""

    at = forms.TimeField(widget=forms.TimeInput(attrs={"type": "time"}))
    weekday = forms.TypedChoiceField(
        label=lazy("Day"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", lazy("every day")), *WEEKDAYS],
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.zone = preferences().time_zone
        shown = self.zone.replace("_", " ")
        self.fields["at"].label = _("Time ({zone})").format(zone=shown)


def _posted_pairs(data: Any) -> list[str]:
    return list(data.getlist("pairs")) if isinstance(data, QueryDict) else []


def _initial(draft: PlanDraft) -> dict[str, object]:
    values = [target_value(target) for target in draft.targets]
    spec, until = draft.spec, draft.spec.stopping_rule
    return {
        "name": draft.name,
        "description": draft.description,
        "repeats": spec.repeats,
        "order": spec.order,
        "until_within": until.precision_percent if until else None,
        "until_blocks": until.max_blocks if until else None,
        "until_hours": until.max_hours if until else spec.load_search_max_hours,
        "until_factor": until.factor if until else TUNING,
        "load_search_parameter": spec.load_search_parameter,
        "on_tuning_unavailable": spec.on_tuning_unavailable,
        "team": draft.team,
        **initial_of(spec.preconditioning),
        **steady_state.initial_of(spec.steady_state),
        "targets": [value for value in values if not value.startswith("pair:")],
        "pairs": [value for value in values if value.startswith("pair:")],
        "tunings": [tuning.pk for tuning in draft.tunings],
        "baseline": draft.baseline.pk if draft.baseline else None,
    }

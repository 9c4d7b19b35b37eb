"""The form of a step: a field for each parameter of its tool, each for one value or several.

Inputs are named `step-<key>-<name>`. The order of the steps is that of the hidden `step` inputs, so
that a browser moves a step by moving its element.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from msgspec.structs import replace

from apps.common.forms import Cleaned
from apps.plans.domain.param_text import (
    as_choices,
    defaults,
    fields_of,
    format_param,
    from_choices,
    parse_param,
)
from apps.plans.domain.target_matching import runnable_tool
from apps.plans.domain.value_parser import MOST
from apps.plans.forms.expectations import (
    row_fields,
    row_initial,
    rows_clean,
    rows_of,
    rows_posted,
)
from apps.plans.schemas.expectations import Expectations
from apps.plans.schemas.plan import (
    BACKGROUND,
    MAX_SETTLE_SECONDS,
    MEASURED,
    SETTLE_SECONDS,
    StepSpec,
)
from apps.plans.selectors.target_choices import pair_choices, target_choices
from apps.tools.fields import Field

MAX_STEPS = 50
_FLAG_CHOICES = (("true", lazy("yes")), ("false", lazy("no")))


class StepForm(forms.Form):
    """The form of a step; `key` identifies it in the browser and is not stored."""

    name = forms.CharField(
        label=lazy("Name of the step"),
        max_length=80,
        required=False,
        help_text=lazy("Shown with its results. Blank: the parameters are clear enough."),
    )

    role = forms.ChoiceField(
        label=lazy("Role of the step"),
        required=False,
        choices=[(MEASURED, lazy("measured")), (BACKGROUND, lazy("background load"))],
        help_text=lazy(
            "A background load runs beside every measured step, which is done without it, too."
        ),
    )
    target = forms.ChoiceField(
        label=lazy("Loaded target"),
        required=False,
        widget=forms.Select(attrs={"data-autocomplete": ""}),
        help_text=lazy("A disk that it writes to must be enrolled."),
    )
    settle_seconds = forms.FloatField(
        label=lazy("Settle time (s)"),
        required=False,
        min_value=0,
        max_value=MAX_SETTLE_SECONDS,
        widget=forms.NumberInput(attrs={"placeholder": f"{SETTLE_SECONDS:g}"}),
        help_text=lazy("How long it runs before the measured step begins."),
    )

    def __init__(
        self,
        key: str,
        tool: str,
        data: QueryDict | None = None,
        initial: Any = None,
        also: Collection[str] = (),
    ):
        """Rare parameters have an input if one was sent, one has a value, or `also` names it."""
        super().__init__(data, prefix=f"step-{key}", initial=initial)
        self.key, self.tool = key, tool
        offered = fields_of(tool)
        seen = {*also, *(name for name in offered if self._was_shown(name))}
        self.specs = {n: spec for n, spec in offered.items() if not spec.advanced or n in seen}
        self.hidden = {n: spec for n, spec in offered.items() if n not in self.specs}
        for name, spec in self.specs.items():
            self.fields[f"p-{name}"] = _input(spec)
        self.rows = 0
        self.expectations: Expectations = ()
        self.initial_step = StepSpec(tool)
        if self._is_background():
            self._offer_targets()
        for _number in range(_rows(data, initial, str(self.prefix))):
            self.add_row()

    def _is_background(self) -> bool:
        return BACKGROUND in (self.data.get(f"{self.prefix}-role"), self.initial.get("role"))

    def _offer_targets(self) -> None:
        """Offer every target; only a background load has one of its own."""
        chosen = [self.data.get(f"{self.prefix}-target"), self.initial.get("target")]
        pairs = pair_choices([one for one in chosen if one and one.startswith("pair:")])
        same = ("", _("the target of the measured step"))
        network = [(_("Pairs of hosts"), pairs)] if pairs else []
        field = self.fields["target"]
        field.choices = [same, *target_choices(), *network]  # type: ignore[attr-defined]

    @property
    def is_background(self) -> bool:
        return self._is_background()

    def role_inputs(self) -> list[BoundField]:
        """Return the field of the role, and those of a background load."""
        names = ["role", "target", "settle_seconds"] if self._is_background() else ["role"]
        return [self[name] for name in names]

    def _was_shown(self, name: str) -> bool:
        input_name = f"{self.prefix}-p-{name}"
        # A select without a choice is not sent; a hidden input marks it.
        return (
            input_name in self.data
            or f"{input_name}-shown" in self.data
            or f"p-{name}" in self.initial
        )

    @property
    def label(self) -> str:
        plugin = runnable_tool(self.tool)
        return plugin.label if plugin else self.tool

    @property
    def entered(self) -> StepSpec:
        """Return the step as entered, or that of an unbound form."""
        return self.data_as_step() if self.is_bound else self.initial_step

    @property
    def name_input(self) -> BoundField:
        return self["name"]

    def groups_of_fields(self) -> Iterator[tuple[str, list[tuple[BoundField, str]], bool]]:
        """Return (group, [(field, its unit)], searched for) in the tool's order."""
        result: dict[str, list[tuple[BoundField, str]]] = {}
        searched = set()
        for name, spec in self.specs.items():
            unit = _(spec.unit) if spec.unit else ""
            result.setdefault(_(spec.group), []).append((self[f"p-{name}"], unit))
            searched |= {_(spec.group)} if spec.advanced else set()
        yield from ((group, rows, group in searched) for group, rows in result.items())

    def more_to_choose(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Return (group, [(parameter, help)]) of those without an input."""
        result: dict[str, list[tuple[str, str]]] = {}
        for name, spec in self.hidden.items():
            result.setdefault(_(spec.group), []).append((name, _(spec.help)))
        yield from result.items()

    def with_input(self, name: str) -> StepForm:
        """Return the form with an input for an advanced parameter; itself if there is none."""
        if name not in self.hidden:
            return self
        data = self.data if isinstance(self.data, QueryDict) else None
        return StepForm(self.key, self.tool, data, self.initial, (*self.specs, name))

    def add_row(self) -> None:
        """Add an empty expectation, up to the maximum of a step."""
        if self.rows < MOST:
            self.fields.update(row_fields(self.rows, self.tool))
            self.rows += 1

    @property
    def can_add_expectation(self) -> bool:
        return self.rows < MOST

    @property
    def has_expectations(self) -> bool:
        """Return True if a row has a metric, valid or not, or an error."""
        return any(self[f"e{row}-metric"].value() for row in range(self.rows))

    def rows_of_expectations(self) -> list[list[BoundField]]:
        return list(rows_of(self, self.rows))

    def clean(self) -> Cleaned:
        self.expectations = rows_clean(self, self.rows)
        return self.cleaned_data

    def data_as_step(self) -> StepSpec:
        """Return the step as entered; the tool validates it later."""
        self.is_valid()
        typed = self.cleaned_data
        params = {name: _value(spec, typed.get(f"p-{name}")) for name, spec in self.specs.items()}
        empty = {name for name, spec in self.specs.items() if spec.advanced and not params[name]}
        params = {name: value for name, value in params.items() if name not in empty}
        step = StepSpec(self.tool, params, str(typed.get("name", "")), self.expectations)
        if typed.get("role") != BACKGROUND:
            return step
        settle = typed.get("settle_seconds")
        return replace(
            step,
            role=BACKGROUND,
            target=typed.get("target") or "",
            settle_seconds=SETTLE_SECONDS if settle is None else settle,
        )

    def input_of(self, name: str) -> str:
        """Return the field that an error is about: a parameter, "tool" or "name"."""
        if name == "expectations":
            return "e0-metric"
        if f"p-{name}" in self.fields:
            return f"p-{name}"
        return name if name in ("role", "target", "settle_seconds") else "name"


def new_step_form(step: StepSpec) -> StepForm:
    """Return an unbound form for a step, with the tool's defaults."""
    values: Mapping[str, Any] = {**defaults(step.tool), **step.params}
    initial: dict[str, object] = {
        "name": step.name,
        "role": step.role,
        "target": step.target,
        "settle_seconds": step.settle_seconds,
        **row_initial(step.expectations),
    }
    for name, spec in fields_of(step.tool).items():
        value = values.get(name)
        if spec.advanced and value is None:
            continue
        chosen = spec.kind in ("choice", "flag")
        initial[f"p-{name}"] = as_choices(value) if chosen else format_param(spec, value)
    result = StepForm(secrets.token_hex(4), step.tool, initial=initial)
    result.initial_step = step
    return result


def posted_step_forms(data: QueryDict) -> list[StepForm]:
    """Return the forms of a request in the order of the page; invalid keys are ignored."""
    keys = [key for key in data.getlist("step") if key.isalnum() and len(key) <= 16][:MAX_STEPS]
    return [StepForm(key, data.get(f"step-{key}-tool", ""), data) for key in dict.fromkeys(keys)]


def _input(spec: Field) -> forms.Field:
    label, words = _(spec.label), _(spec.help) if spec.help else ""
    if spec.kind in ("choice", "flag"):
        choices = _FLAG_CHOICES if spec.kind == "flag" else [(one, one) for one in spec.choices]
        widget = forms.SelectMultiple(attrs={"data-autocomplete": ""})
        return forms.MultipleChoiceField(
            label=label,
            help_text=words,
            choices=choices,
            widget=widget,
            required=not spec.optional,
        )
    attrs = {"autocomplete": "off", "spellcheck": "false"}
    if spec.holds_commas:
        words = _("{} Several of them for a sweep: with semicolons between.").format(words)
    return forms.CharField(
        label=label,
        help_text=words,
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs=attrs),
    )


def _value(spec: Field, typed: Any) -> Any:
    if spec.kind in ("choice", "flag"):
        return from_choices(typed or [""])
    return parse_param(spec, typed or "")


def _rows(data: QueryDict | None, initial: Any, prefix: str) -> int:
    """Return the initial number of expectation rows."""
    return rows_posted(data, f"{prefix}-") if data is not None else rows_posted(initial, "")

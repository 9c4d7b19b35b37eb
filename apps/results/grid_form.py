"""What the pages over one or two parameters ask: axes, an operation, and a value for all else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.results.grid import (
    Choice,
    Result,
    axes_of,
    choices_of,
    metrics_of,
    others_of,
)
from apps.results.grid_figures import value_text
from apps.tools.metrics import METRICS
from apps.tools.registry import tool

FIXED = "at-"
Offers = Mapping[str, tuple[Any, list[tuple[str, str]]]]


class ChoicesForm(forms.Form):
    """Selects bound to a query; one with a single choice is not shown, and is that choice."""

    def __init__(
        self, query: Mapping[str, Any], results: Sequence[Result], given: Mapping[str, str]
    ) -> None:
        self.labels, self.units = _words(results)
        super().__init__({**given, **{k: v for k, v in query.items() if v}})

    def offer(self, choices: Offers) -> None:
        """Make a select for each; the first choice is the one that nothing in the query means."""
        self._first = {name: offered[0][0] for name, (_label, offered) in choices.items()}
        self.data = {**self._first, **self.data}
        for name, (label, offered) in choices.items():
            if len(offered) > 1:
                self.fields[name] = forms.ChoiceField(label=label, choices=offered)

    def fixed(self, others: Mapping[str, Sequence[str]]) -> Offers:
        """A select for each other parameter that varies."""
        return {
            FIXED + name: (self.labels[name], self._values(name, values))
            for name, values in others.items()
        }

    def words(self, name: str, value: Any) -> str:
        """A parameter's value for people."""
        return value_text(name, value, self.units.get(name, ""))

    def _values(self, name: str, values: Sequence[str]) -> list[tuple[str, str]]:
        return [(v, self.words(name, int(v)) if v.isdigit() else v) for v in values]

    def clean(self) -> dict[str, Any]:
        for name, only in self._first.items():
            if name not in self.fields and self.data[name] != only:
                said = _("%(value)s was not measured here.") % {"value": self.data[name]}
                raise forms.ValidationError(said)
        return {**self._first, **(super().clean() or {})}


class GridForm(ChoicesForm):
    """Two axes. Bound to a query; what it leaves out is what a reader would look at first."""

    def __init__(self, query: Mapping[str, Any], results: Sequence[Result]) -> None:
        axes = axes_of(results)
        x, y = query.get("x") or axes[0], query.get("y") or axes[1]
        super().__init__(query, results, {"x": x, "y": y})
        self.offer(
            {
                "x": (lazy("Across"), [(name, self.labels[name]) for name in axes]),
                "y": (lazy("Down"), [(name, self.labels[name]) for name in axes]),
                "operation": (lazy("Operation"), same(choices_of(results, "operation"))),
                "metric": (lazy("Figure"), [(k, METRICS[k].label) for k in metrics_of(results)]),
                "tuning": (lazy("Tuning"), same(choices_of(results, "tuning"))),
                "target": (lazy("Target"), same(choices_of(results, "target"))),
                **self.fixed(others_of(results, x, y)),
            }
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if data["x"] == data["y"]:
            raise forms.ValidationError(_("Choose two different parameters for across and down."))
        return data

    def choice(self) -> Choice:
        """What was chosen; only of a valid form."""
        data = self.cleaned_data
        fixed = {n.removeprefix(FIXED): v for n, v in data.items() if n.startswith(FIXED)}
        names = ("x", "y", "operation", "metric", "tuning", "target")
        return Choice(**{name: data[name] for name in names}, fixed=tuple(fixed.items()))


def same(values: Sequence[str]) -> list[tuple[str, str]]:
    """Choices that are their own words."""
    return [(value, value or _("not said")) for value in values]


def _words(results: Sequence[Result]) -> tuple[dict[str, str], dict[str, str]]:
    """Each parameter's label and unit, as its room says them."""
    labels: dict[str, str] = {}
    units: dict[str, str] = {}
    for name in choices_of(results, "tool"):
        room = tool(name)
        for key, found in (room.params.fields() if room.params else {}).items():
            labels.setdefault(key, found.label)
            units.setdefault(key, "bytes" if found.kind == "size" else found.unit)
    every = {name for result in results for name in result.params}
    return {name: labels.get(name, name.replace("_", " ")) for name in every}, units

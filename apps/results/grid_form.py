"""What a grid's page asks: two axes, one operation and metric, and a value for all that varies."""

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


class GridForm(forms.Form):
    """Bound to a query; what the query leaves out is what a reader would look at first."""

    def __init__(self, query: Mapping[str, Any], results: Sequence[Result]) -> None:
        self.labels, self.units = _words(results)
        axes = axes_of(results)
        x, y = query.get("x") or axes[0], query.get("y") or axes[1]
        others = others_of(results, x, y)
        choices: dict[str, tuple[Any, list[tuple[str, str]]]] = {
            "x": (lazy("Across"), [(name, self.labels[name]) for name in axes]),
            "y": (lazy("Down"), [(name, self.labels[name]) for name in axes]),
            "operation": (lazy("Operation"), _same(choices_of(results, "operation"))),
            "metric": (lazy("Figure"), [(k, METRICS[k].label) for k in metrics_of(results)]),
            "tuning": (lazy("Tuning"), _same(choices_of(results, "tuning"))),
            "target": (lazy("Target"), _same(choices_of(results, "target"))),
            **{
                FIXED + name: (self.labels[name], self._values(name, others[name]))
                for name in others
            },
        }
        first = {name: offered[0][0] for name, (_label, offered) in choices.items()}
        super().__init__({**first, "x": x, "y": y, **{k: v for k, v in query.items() if v}})
        for name, (label, offered) in choices.items():
            if len(offered) > 1:
                self.fields[name] = forms.ChoiceField(label=label, choices=offered)
        self._first = first

    def _values(self, name: str, values: Sequence[str]) -> list[tuple[str, str]]:
        unit = self.units.get(name, "")
        return [(v, value_text(name, int(v), unit) if v.isdigit() else v) for v in values]

    def clean(self) -> dict[str, Any]:
        data = {**self._first, **(super().clean() or {})}
        if data["x"] == data["y"]:
            raise forms.ValidationError(_("Choose two different parameters for across and down."))
        return data

    def choice(self) -> Choice:
        """What was chosen; only of a valid form."""
        data = self.cleaned_data
        fixed = {n.removeprefix(FIXED): v for n, v in data.items() if n.startswith(FIXED)}
        names = ("x", "y", "operation", "metric", "tuning", "target")
        return Choice(**{name: data[name] for name in names}, fixed=tuple(fixed.items()))


def _same(values: Sequence[str]) -> list[tuple[str, str]]:
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

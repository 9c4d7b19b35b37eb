"""Form of the table page: axes, operation, and a value of every other parameter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.repeats.choices_form import ChoicesForm, has_numbers, text_or_missing
from apps.analysis.repeats.grid import (
    OPERATION,
    Choice,
    Result,
    axes_of,
    metrics_of,
    table_axes_of,
)
from apps.common.forms import Cleaned
from apps.tools.metrics import METRICS, in_order
from apps.tuning.domain.baseline import tuning_key, tuning_label

# The metric of iozone's own tables.
DEFAULT_METRIC = "bandwidth"


class GridForm(ChoicesForm):
    """Form bound to a query; missing choices have defaults."""

    def __init__(
        self, query: Mapping[str, Any], results: Sequence[Result], over_time: Iterable[str] = ()
    ) -> None:
        """`over_time`: figures over time that are offered beside those of the results."""
        super().__init__(query, results)
        self.labels[OPERATION] = _("Operation")
        offered = [(name, self.labels[name]) for name in table_axes_of(results)]
        usual_x, usual_y = default_axes(
            results, self._chosen_values.get("x"), self._chosen_values.get("y")
        )
        x = self.offer("x", lazy("Across"), offered, usual_x)
        y = self.offer("y", lazy("Down"), offered, usual_y)
        self.narrow_to_axes(x, y)
        self.narrow("tool", lazy("Tool"), lambda row: row.tool)
        if OPERATION in (x, y):
            self._single_values["operation"] = ""
        else:
            self.narrow_operation()
        tunings = [row.tuning for row in self.results]
        self.narrow_tuning()
        self._offer_base(tunings)
        self.narrow("target", lazy("Target"), lambda row: row.target, text_or_missing)
        metrics = [
            (key, _(METRICS[key].label))
            for key in in_order({*metrics_of(self.results), *over_time})
        ]
        usual = DEFAULT_METRIC if DEFAULT_METRIC in dict(metrics) else metrics[0][0]
        self.offer("metric", lazy("Figure"), metrics, usual)
        self.narrow_others(x, y)

    def clean(self) -> Cleaned:
        data = super().clean()
        if data.get("x") is not None and data.get("x") == data.get("y"):
            raise forms.ValidationError(_("Choose two different parameters for across and down."))
        return data

    def _offer_base(self, tunings: Sequence[str]) -> None:
        """Offer the other tunings as base of the change."""
        mine = str(self._chosen_values.get("tuning", ""))
        others = sorted({name for name in tunings if name and name != mine}, key=tuning_key)
        if not others:
            return
        choices = [
            ("", _("nothing: the figures themselves")),
            *((name, tuning_label(name)) for name in others),
        ]
        if self._chosen_values.get("against") == mine:
            self._chosen_values["against"] = ""
        self.offer("against", lazy("Change against"), choices, "")

    @property
    def base(self) -> str:
        """Return the tuning that is the base of the change; empty for plain values."""
        return str(self.cleaned_data.get("against") or "")

    def choice(self) -> Choice:
        """Return the choices of a valid form."""
        names = ("x", "y", "operation", "metric", "tuning", "target")
        return Choice(**{name: self.cleaned_data[name] for name in names}, fixed=self.fixed())


def default_axes(results: Sequence[Result], x: str | None, y: str | None = None) -> tuple[str, str]:
    """Return the first two parameters that vary together; chosen axes stay.

    Operations, else a choice or flag, are an axis by default if one parameter has numbers.
    """
    axes = axes_of(results)
    if x and x not in axes:
        return x, y or axes[0]
    if y and y not in axes:
        return x or axes[0], y
    for first in [x] if x else axes:
        varying = [row for row in results if has_numbers(row, first)]
        for second in axes_of(varying):
            if second != first:
                return first, second
    if others := table_axes_of(results)[len(axes) :]:
        return (x, others[-1]) if x else (others[-1], axes[0])
    return axes[0], axes[1]

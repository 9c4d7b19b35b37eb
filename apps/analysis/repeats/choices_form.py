"""Form whose selects offer what was measured under the choices before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.repeats.grid import Result, coordinate, others_of, value_text
from apps.common.forms import Cleaned
from apps.tools.registry import tool
from apps.tools.workloads.order import Key, name_key, operation_key, param_key
from apps.tuning.domain.baseline import tuning_key, tuning_label

FIXED = "at-"
"""Prefix of query names that fix another parameter: "at-iodepth"."""
_WHOLE = re.compile(r"[0-9]{1,18}")
"""A number as text; foreign results also have digits that `int` refuses, such as "²"."""
Value = Callable[[Result], object]


class ChoicesForm(forms.Form):
    """Selects bound to a query, each with the values measured under the choices before it.

    A select with one value is hidden. `results`: those that match all choices so far.
    """

    def __init__(self, query: Mapping[str, Any], results: Sequence[Result]) -> None:
        self.labels, self.units = _labels_and_units(results)
        self.results = list(results)
        self._all_results = self.results
        self._single_values: dict[str, str] = {}
        self._invalid: list[str] = []
        # An empty value is the choice of an unknown name.
        self._chosen_values = {k: v for k, v in query.items() if v or k in ("target", "tuning")}
        super().__init__(self._chosen_values)

    def offer(self, name: str, label: Any, choices: Sequence[tuple[str, str]], usual: str) -> str:
        """Add a select and return its value: from the query, else `usual`."""
        offered = [value for value, _label in choices]
        chosen = self._chosen_values.setdefault(name, usual)
        if len(offered) > 1:
            self.fields[name] = forms.ChoiceField(
                label=label, choices=choices, required="" not in offered
            )
        else:
            self._single_values[name] = offered[0]
            if chosen not in offered:
                self._invalid.append(chosen)
        return str(chosen)

    def narrow(
        self,
        name: str,
        label: Any,
        of: Value,
        text: Callable[[str], str] = str,
        key: Callable[[Result], Key] | None = None,
    ) -> None:
        """Add a select of the values of `of` in the results, and filter by the chosen one.

        `key` gives the order, default by name. A value that was measured, but not under the choices
        before it, is replaced by the first one that was.
        """
        values = _values(of, self.results, key)
        requested = self._chosen_values.get(name)
        if requested not in values and requested in _values(of, self._all_results, key):
            self._chosen_values[name] = values[0]
        chosen = self.offer(name, label, [(v, text(v)) for v in values], values[0])
        self.results = [row for row in self.results if str(of(row)) == chosen] or self.results

    def narrow_to_axes(self, *names: str) -> None:
        """Filter the results that have a position on each of these axes of a table."""
        result = [r for r in self.results if all(coordinate(r, n) is not None for n in names)]
        self.results = result or self.results

    def narrow_others(self, *axes: str) -> None:
        """Add a select for each other parameter that varies."""
        for name in dict.fromkeys(name for row in self.results for name in row.params):
            # Each choice filters the results, so the next parameter may not vary any more.
            if name in others_of(self.results, axes):
                text = partial(self.words_of, name)
                key = partial(_param_key, name)
                self.narrow(FIXED + name, self.labels[name], _parameter(name), text, key)

    def narrow_operation(self, name: str = "operation") -> None:
        """Add a select of operations in their tool's order."""
        self.narrow(name, lazy("Operation"), lambda row: row.operation, key=_operation_key)

    def narrow_tuning(self) -> None:
        """Add a select of tunings, the usual baseline first."""
        key = _tuning_key
        self.narrow("tuning", lazy("Tuning"), lambda row: row.tuning, _tuning_text, key)

    def words(self, name: str, value: Any) -> str:
        """Return a parameter's value as text."""
        return value_text(name, value, self.units.get(name, ""))

    def words_of(self, name: str, value: Any) -> str:
        """Return a parameter's value as text, also if it is text or unknown."""
        text = str(value)
        if text == str(None):
            return _("unknown")
        return self.words(name, int(text)) if _WHOLE.fullmatch(text) else text

    def clean(self) -> Cleaned:
        for value in self._invalid:
            message = _("%(value)s was not measured here.") % {"value": value}
            raise forms.ValidationError(message)
        return {**self._single_values, **(super().clean() or {})}

    def fixed(self) -> tuple[tuple[str, str], ...]:
        """Return the other parameters that vary, with their values. Requires a valid form."""
        data = self.cleaned_data
        return tuple((n.removeprefix(FIXED), v) for n, v in data.items() if n.startswith(FIXED))


def has_numbers(result: Result, *names: str) -> bool:
    """Return True if the result has a number for each of these parameters."""
    return all(isinstance(result.params.get(name), int | float) for name in names)


def text_or_missing(name: str) -> str:
    """Return a name, or "unknown"."""
    return name or _("unknown")


def _values(
    of: Value, results: Iterable[Result], key: Callable[[Result], Key] | None = None
) -> list[str]:
    rows = {str(of(row)): row for row in results}
    return sorted(rows, key=lambda text: key(rows[text]) if key else name_key(text))


def _operation_key(row: Result) -> Key:
    return operation_key(row.tool, row.operation)


def _tuning_text(name: str) -> str:
    return text_or_missing(tuning_label(name))


def _tuning_key(row: Result) -> Key:
    return tuning_key(row.tuning)


def _param_key(name: str, row: Result) -> Key:
    return param_key(row.tool, name, row.params.get(name))


def _parameter(name: str) -> Value:
    return lambda row: row.params.get(name)


def _labels_and_units(results: Sequence[Result]) -> tuple[dict[str, str], dict[str, str]]:
    """Return each parameter's label and unit from its plugin."""
    labels: dict[str, str] = {}
    units: dict[str, str] = {}
    for name in dict.fromkeys(row.tool for row in results):
        plugin = tool(name)
        for key, field in (plugin.params.fields() if plugin.params else {}).items():
            labels.setdefault(key, _(field.label))
            units.setdefault(key, "bytes" if field.kind == "size" else field.unit)
    every = {name for result in results for name in result.params}
    return {name: labels.get(name, name.replace("_", " ")) for name in every}, units

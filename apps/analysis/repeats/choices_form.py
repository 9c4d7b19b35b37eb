"""Form whose selects offer what was measured under the choices before them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.repeats.grid import Result, value_text
from apps.common.forms import Cleaned
from apps.tools.registry import tool
from apps.tools.workloads.order import Key, name_key, operation_key, param_key
from apps.tools.workloads.varying import differing
from apps.tuning.domain.baseline import tuning_key

FIXED = "at-"


Value = Callable[[Result], object]


class ChoicesForm(forms.Form):
    """Selects bound to a query, each offering what was measured under the choices before it; one
    with a single choice is not shown, and is that choice. `results`: those that are left.
    """

    def __init__(self, query: Mapping[str, Any], results: Sequence[Result]) -> None:
        self.labels, self.units = _labels_and_units(results)
        self.results = list(results)
        self._every = self.results
        self._only: dict[str, str] = {}
        self._wrong: list[str] = []
        # An empty value is a choice where the name is one that nobody told.
        self._asked = {k: v for k, v in query.items() if v or k in ("target", "tuning")}
        super().__init__(self._asked)

    def offer(self, name: str, label: Any, choices: Sequence[tuple[str, str]], usual: str) -> str:
        """Make a select for it. Gives what is chosen: what the query asks, else `usual`."""
        offered = [value for value, _labels_and_units in choices]
        chosen = self._asked.setdefault(name, usual)
        if len(offered) > 1:
            self.fields[name] = forms.ChoiceField(
                label=label, choices=choices, required="" not in offered
            )
        else:
            self._only[name] = offered[0]
            if chosen not in offered:
                self._wrong.append(chosen)
        return str(chosen)

    def narrow(
        self,
        name: str,
        label: Any,
        of: Value,
        words: Callable[[str], str] = str,
        key: Callable[[Result], Key] | None = None,
    ) -> None:
        """Offer the values that the results left have, in the order that `key` gives (else that of
        names), and leave those with the chosen one.

        A value that was measured, but not under the choices before it, gives way to one that was:
        who changes the operation need not know which block sizes it had.
        """
        values = _different(of, self.results, key)
        asked = self._asked.get(name)
        if asked not in values and asked in _different(of, self._every, key):
            self._asked[name] = values[0]
        chosen = self.offer(name, label, [(v, words(v)) for v in values], values[0])
        self.results = [row for row in self.results if str(of(row)) == chosen] or self.results

    def narrow_to_numbers(self, *names: str) -> None:
        """Leave the results that have a number for each of these parameters."""
        self.results = [row for row in self.results if has_numbers(row, *names)] or self.results

    def narrow_others(self, *axes: str) -> None:
        """Offer a value for each other parameter that varies in what is left."""
        for name in dict.fromkeys(name for row in self.results for name in row.params):
            # Each choice narrows what is left, and so whether the next parameter varies at all.
            if name in differing((row.params for row in self.results), axes):
                words = partial(self.words_of, name)
                key = partial(_param_key, name)
                self.narrow(FIXED + name, self.labels[name], _parameter(name), words, key)

    def narrow_operation(self, name: str = "operation") -> None:
        """Offer the operations in their tool's own order."""
        self.narrow(name, lazy("Operation"), lambda row: row.operation, key=_operation_key)

    def narrow_tuning(self) -> None:
        """Offer the tunings, what others are held against first."""
        key = _tuning_key
        self.narrow("tuning", lazy("Tuning"), lambda row: row.tuning, text_or_missing, key)

    def words(self, name: str, value: Any) -> str:
        """A parameter's value for people."""
        return value_text(name, value, self.units.get(name, ""))

    def words_of(self, name: str, value: Any) -> str:
        """A parameter's value for people, also where it is text or not reported."""
        text = str(value)
        if text == str(None):
            return _("not said")
        return self.words(name, int(text)) if text.isdigit() else text

    def clean(self) -> Cleaned:
        for value in self._wrong:
            text_or_missing = _("%(value)s was not measured here.") % {"value": value}
            raise forms.ValidationError(text_or_missing)
        return {**self._only, **(super().clean() or {})}

    def fixed(self) -> tuple[tuple[str, str], ...]:
        """The other parameters that vary, each at one value; only of a valid form."""
        data = self.cleaned_data
        return tuple((n.removeprefix(FIXED), v) for n, v in data.items() if n.startswith(FIXED))


def has_numbers(result: Result, *names: str) -> bool:
    """Whether the result has a number for each of these parameters."""
    return all(isinstance(result.params.get(name), int | float) for name in names)


def text_or_missing(name: str) -> str:
    """A name that may be missing."""
    return name or _("not said")


def _different(
    of: Value, results: Iterable[Result], key: Callable[[Result], Key] | None = None
) -> list[str]:
    rows = {str(of(row)): row for row in results}
    return sorted(rows, key=lambda text: key(rows[text]) if key else name_key(text))


def _operation_key(row: Result) -> Key:
    return operation_key(row.tool, row.operation)


def _tuning_key(row: Result) -> Key:
    return tuning_key(row.tuning)


def _param_key(name: str, row: Result) -> Key:
    return param_key(row.tool, name, row.params.get(name))


def _parameter(name: str) -> Value:
    return lambda row: row.params.get(name)


def _labels_and_units(results: Sequence[Result]) -> tuple[dict[str, str], dict[str, str]]:
    """Each parameter's label and unit, as its plugin says them."""
    labels: dict[str, str] = {}
    units: dict[str, str] = {}
    for name in dict.fromkeys(row.tool for row in results):
        plugin = tool(name)
        for key, found in (plugin.params.fields() if plugin.params else {}).items():
            labels.setdefault(key, found.label)
            units.setdefault(key, "bytes" if found.kind == "size" else found.unit)
    every = {name for result in results for name in result.params}
    return {name: labels.get(name, name.replace("_", " ")) for name in every}, units

"""Form of the sweep page: the parameter of the x axis, and what is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.repeats.choices_form import FIXED, ChoicesForm
from apps.analysis.repeats.grid import Result, axes_of
from apps.analysis.repeats.repeat_kinds import RepeatKind
from apps.tools.registry import words_of_all
from apps.tools.workloads.order import Key, param_key
from apps.tools.workloads.varying import differing

ALL_VALUES = "*"
MAX_DEFAULT_LINES = 6
"""Limit of curves that are drawn by default."""


class CurveForm(ChoicesForm):
    """Form bound to a query; missing choices have defaults."""

    def __init__(
        self, query: Mapping[str, Any], kinds: Sequence[RepeatKind], param: str = ""
    ) -> None:
        """`param`: the parameter under comparison, which is no axis."""
        super().__init__(query, kinds)
        self._param = param
        axes = [name for name in axes_of(kinds) if name != param]
        offered = [(name, self.labels[name]) for name in axes]
        self.x = self.offer("x", lazy("Along the bottom"), offered, axes[0])
        self.results = [row for row in self.results if axis_position(row, self.x) is not None]
        self.narrow("tool", lazy("Tool"), lambda row: row.tool)
        self.narrow_operation("show")
        for name in dict.fromkeys(name for row in self.results for name in row.params):
            if name in differing((row.params for row in self.results), (self.x, param)):
                self._draw_or_choose(name)

    @property
    def kinds(self) -> list[RepeatKind]:
        """Return the drawn kinds of repeats."""
        return [row for row in self.results if isinstance(row, RepeatKind)]

    def words(self, name: str, value: Any) -> str:
        """Return a parameter's value as text; for infinity the tool's word for all."""
        if value != math.inf:
            return super().words(name, value)
        return next(filter(None, (words_of_all(row.tool, name) for row in self.results)), "")

    def _draw_or_choose(self, name: str) -> None:
        """Offer a parameter; all values by default if they make few curves, else one."""
        rows = {str(row.params.get(name)): row for row in self.results}
        values = sorted(rows, key=lambda text: _key(rows[text], name))
        words = partial(self.words_of, name)
        choices = [(ALL_VALUES, _("all")), *((value, words(value)) for value in values)]
        usual = ALL_VALUES if lines_of(self.kinds, self.x) <= MAX_DEFAULT_LINES else values[0]
        chosen = self.offer(FIXED + name, self.labels[name], choices, usual)
        if chosen in values:
            self.results = [row for row in self.results if str(row.params.get(name)) == chosen]


def _key(row: Result, name: str) -> Key:
    return param_key(row.tool, name, row.params.get(name))


def axis_position(row: Result, x: str) -> float | None:
    """Return the position of a result along a parameter.

    Its number; infinity if it is omitted and that means all, such as the whole disk; None if
    unknown.
    """
    value = row.params.get(x)
    if isinstance(value, int | float):
        return float(value)
    whole = x in row.params and value is None and words_of_all(row.tool, x)
    return math.inf if whole else None


def line_key(kind: RepeatKind, x: str) -> tuple[Any, ...]:
    """Return the key of a curve: all but the parameter of the x axis."""
    rest = sorted((name, str(value)) for name, value in kind.params.items() if name != x)
    return kind.tuning, kind.where, kind.tool, tuple(rest)


def lines_of(kinds: Sequence[RepeatKind], x: str) -> int:
    """Return the number of curves of these kinds."""
    return len({line_key(kind, x) for kind in kinds})

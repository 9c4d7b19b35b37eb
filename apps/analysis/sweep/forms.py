"""What the page of curves asks: the parameter along the bottom, and a value for all else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as lazy

from apps.analysis.sweep.curve import Asked
from apps.analysis.table.forms import ChoicesForm, said
from apps.analysis.table.grid import Result, axes_of


class CurveForm(ChoicesForm):
    """Bound to a query; what the query leaves out is what a reader would look at first."""

    def __init__(self, query: Mapping[str, Any], results: Sequence[Result]) -> None:
        super().__init__(query, results)
        axes = axes_of(results)
        offered = [(name, self.labels[name]) for name in axes]
        x = self.offer("x", lazy("Along the bottom"), offered, axes[0])
        self.narrow_to_numbers(x)
        self.narrow("tool", lazy("Tool"), lambda row: row.tool)
        self.narrow_operation()
        self.narrow("target", lazy("Target"), lambda row: row.target, said)
        self.narrow_others(x)

    def asked(self) -> Asked:
        """What was chosen; only of a valid form."""
        data = self.cleaned_data
        return Asked(data["x"], data["operation"], data["target"], self.fixed())

"""What the page of curves asks: the parameter along the bottom, and a value for all else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as lazy

from apps.results.curve import Asked
from apps.results.grid import Result, axes_of, choices_of, others_of
from apps.results.grid_form import FIXED, ChoicesForm, same


class CurveForm(ChoicesForm):
    """Bound to a query; what the query leaves out is what a reader would look at first."""

    def __init__(self, query: Mapping[str, Any], results: Sequence[Result]) -> None:
        axes = axes_of(results)
        x = query.get("x") or axes[0]
        super().__init__(query, results, {"x": x})
        self.offer(
            {
                "x": (lazy("Along the bottom"), [(name, self.labels[name]) for name in axes]),
                "operation": (lazy("Operation"), same(choices_of(results, "operation"))),
                "target": (lazy("Target"), same(choices_of(results, "target"))),
                **self.fixed(others_of(results, x, x)),
            }
        )

    def asked(self) -> Asked:
        """What was chosen; only of a valid form."""
        data = self.cleaned_data
        fixed = {n.removeprefix(FIXED): v for n, v in data.items() if n.startswith(FIXED)}
        return Asked(data["x"], data["operation"], data["target"], tuple(fixed.items()))

"""Form of the page of a mesh: a workload, a tuning and a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.analysis.network.mesh import MeshLink, figures_known
from apps.tools.metrics import METRICS


class MeshForm(forms.Form):
    """Selects bound to a query; what it leaves out is the first choice, and a select with a single
    choice is not shown."""

    def __init__(self, query: Mapping[str, Any], links: Sequence[MeshLink]) -> None:
        offered: dict[str, tuple[Any, list[tuple[Any, Any]]]] = {
            "figure": (_("Figure"), [(n, _(METRICS[n].label)) for n in figures_known(links)]),
            "workload": (_("Workload"), _same([link.workload for link in links])),
            "tuning": (_("Tuning"), _same([link.tuning for link in links])),
        }
        self.first = {name: choices[0][0] for name, (_label, choices) in offered.items() if choices}
        self.first.setdefault("figure", "bandwidth")
        super().__init__({**self.first, **{name: v for name, v in query.items() if v}})
        for name, (label, choices) in offered.items():
            if len(choices) > 1:
                self.fields[name] = forms.ChoiceField(label=label, choices=choices)

    def chosen(self) -> dict[str, str]:
        """Figure, workload and tuning; only of a valid form."""
        return self.first | self.cleaned_data


def _same(values: Sequence[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in dict.fromkeys(values)]

"""Form of the page of a mesh: a workload, a tuning, a figure, and the base of its changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.analysis.network.delta import METRIC, DeltaBase, delta_bases
from apps.analysis.network.mesh import MeshLink, known_metrics
from apps.tools.metrics import METRICS


class MeshForm(forms.Form):
    """Selects bound to a query; what it leaves out is the first choice, and a select with a single
    choice is not shown.
    """

    def __init__(self, query: Mapping[str, Any], links: Sequence[MeshLink]) -> None:
        offered: dict[str, tuple[Any, list[tuple[Any, Any]]]] = {
            "figure": (_("Figure"), [(n, _(METRICS[n].label)) for n in known_metrics(links)]),
            "workload": (_("Workload"), _same([link.workload for link in links])),
            "tuning": (_("Tuning"), _same([link.tuning for link in links])),
        }
        self.first = {name: choices[0][0] for name, (_label, choices) in offered.items() if choices}
        self.first.setdefault("figure", METRIC)
        super().__init__({**self.first, **{name: v for name, v in query.items() if v}})
        for name, (label, choices) in offered.items():
            if len(choices) > 1:
                self.fields[name] = forms.ChoiceField(label=label, choices=choices)
        asked = {name: str(self.data[name]) for name in self.first}
        if asked["figure"] == METRIC and "workload" in asked:
            self._offer_bases(delta_bases(links, asked["workload"], asked["tuning"]))

    def _offer_bases(self, offered: Sequence[tuple[str, str]]) -> None:
        """Offer the bases that a change can be shown against; the tuning that is shown is none."""
        if self.data.get("against") == f"tuning:{self.data.get('tuning')}":
            self.data = {**self.data, "against": ""}
        if offered:
            choices = [("", _("nothing: the figures themselves")), *offered]
            self.fields["against"] = forms.ChoiceField(
                label=_("Change against"), choices=choices, required=False
            )

    @property
    def base(self) -> DeltaBase | None:
        """The base of the changes; None where the figures themselves are asked for. Of a valid
        form.
        """
        return DeltaBase.of(self.cleaned_data.get("against") or "")

    def chosen(self) -> dict[str, str]:
        """Figure, workload and tuning; only of a valid form."""
        return self.first | self.cleaned_data


def _same(values: Sequence[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in dict.fromkeys(values)]

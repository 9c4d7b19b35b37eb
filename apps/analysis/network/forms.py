"""Form of the mesh page: metric, workload, tuning, base of the delta."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.analysis.network.delta import METRIC, DeltaBase, delta_bases
from apps.analysis.network.mesh import MeshLink, known_metrics
from apps.tools.metrics import METRICS
from apps.tuning.domain.baseline import tuning_label


class MeshForm(forms.Form):
    """Selects bound to a query; defaults are the first choices; single choices are hidden."""

    def __init__(self, query: Mapping[str, Any], links: Sequence[MeshLink]) -> None:
        offered: dict[str, tuple[Any, list[tuple[Any, Any]]]] = {
            "figure": (_("Figure"), [(n, _(METRICS[n].label)) for n in known_metrics(links)]),
            "workload": (_("Workload"), _text_choices([link.workload for link in links])),
            "tuning": (_("Tuning"), _tuning_choices([link.tuning for link in links])),
        }
        self.first = {name: choices[0][0] for name, (_label, choices) in offered.items() if choices}
        self.first.setdefault("figure", METRIC)
        super().__init__({**self.first, **{name: v for name, v in query.items() if v}})
        for name, (label, choices) in offered.items():
            if len(choices) > 1:
                self.fields[name] = forms.ChoiceField(label=label, choices=choices)
        selected = {name: str(self.data[name]) for name in self.first}
        if selected["figure"] == METRIC and "workload" in selected:
            self._offer_bases(delta_bases(links, selected["workload"], selected["tuning"]))

    def _offer_bases(self, offered: Sequence[tuple[str, str]]) -> None:
        """Offer the bases of a delta, except the shown tuning."""
        if self.data.get("against") == f"tuning:{self.data.get('tuning')}":
            self.data = {**self.data, "against": ""}
        if offered:
            choices = [("", _("nothing: the figures themselves")), *offered]
            self.fields["against"] = forms.ChoiceField(
                label=_("Change against"), choices=choices, required=False
            )

    @property
    def base(self) -> DeltaBase | None:
        """Return the base of the delta, None for plain values. Requires a valid form."""
        return DeltaBase.of(self.cleaned_data.get("against") or "")

    def chosen(self) -> dict[str, str]:
        """Return metric, workload and tuning. Requires a valid form."""
        return self.first | self.cleaned_data


def _tuning_choices(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, tuning_label(name)) for name in dict.fromkeys(names)]


def _text_choices(values: Sequence[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in dict.fromkeys(values)]

"""Parameters of a distribution: which results, what is merged, which percentiles."""

from __future__ import annotations

import re
from typing import Any

import django_filters as filters
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.analysis.history.filters import KINDS, HistoryFilter
from apps.runs.models import Case, Run
from apps.tools.metrics import TAIL, with_percentiles

BY = {
    "differing": _("all that differs"),
    "workload": _("workload"),
    "tuning": _("tuning in force"),
    "target": _("target"),
    "run": _("run"),
    "case": _("test"),
    "nothing": _("nothing: one of all"),
}
"""The property that a distribution has in common; the rest is merged. Operations stay apart."""
USUAL = with_percentiles(*TAIL[:-1])
NAMING = ("run", "case", "workload", "host", *KINDS)
"""Parameters of which a question has at least one: nobody wants the whole archive merged."""
_PERCENTILE = re.compile(r"\d{1,2}(\.\d{1,6})?")
MOST = 20


def _percentiles(text: str) -> None:
    names = [name.strip() for name in text.split(",")]
    if len(names) > MOST or not all(_PERCENTILE.fullmatch(name, 0) for name in names):
        raise ValidationError(_("Write percentiles from 0 to 99.999999, such as 50, 99.95."))


def several(model: Any, label: Any) -> filters.ModelMultipleChoiceFilter:
    """Rows of a model, each named by its number; the form keeps them unseen."""
    return filters.ModelMultipleChoiceFilter(
        queryset=model.objects.all(), label=label, widget=forms.MultipleHiddenInput
    )


class DistributionFilter(HistoryFilter):
    """Figures whose histograms are added."""

    metric = None
    run = several(Run, _("Runs"))
    case = several(Case, _("Tests"))
    by = filters.ChoiceFilter(
        choices=list(BY.items()),
        method="as_they_are",
        label=_("A curve for each"),
        empty_label=None,
    )
    percentile = filters.CharFilter(
        method="as_they_are", label=_("Percentiles"), validators=[_percentiles]
    )

    @property
    def is_empty(self) -> bool:
        """Whether nothing says which results."""
        return not any(self.form.cleaned_data[name] for name in NAMING)

    @property
    def kept_apart(self) -> str:
        """One of BY."""
        return str(self.form.cleaned_data["by"] or "differing")

    @property
    def percentiles(self) -> tuple[str, ...]:
        """The percentiles of the table, ascending."""
        text = self.form.cleaned_data["percentile"]
        names = {name.strip() for name in text.split(",")} if text else set(USUAL)
        return tuple(sorted(names, key=float))

"""Parameters of a diff of facts: the runs, tests, hosts or moments that stand side by side."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.utils.translation import gettext_lazy as _

from apps.analysis.selection.fields import NumbersFilter
from apps.inventory.models import Host, HostFacts
from apps.results.models import Figure
from apps.runs.models import Case, Run

NAMING = ("run", "case", "host", "moment")


class FactsFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    """Sides by their numbers. They choose no figures, so nothing is filtered by them."""

    run = NumbersFilter(queryset=Run.objects.all(), label=_("Runs"))
    case = NumbersFilter(queryset=Case.objects.all(), label=_("Tests"))
    host = NumbersFilter(queryset=Host.objects.all(), label=_("Hosts"))
    moment = NumbersFilter(queryset=HostFacts.objects.all(), label=_("Facts of a host at one time"))
    all = filters.BooleanFilter(
        method="as_they_are",
        label=_("Show what is equal"),
        widget=forms.Select(choices=[("", _("no")), ("true", _("yes"))]),
    )

    class Meta:
        model = Figure
        fields: list[str] = []

    def as_they_are(self, rows: object, name: str, value: object) -> object:
        """The option chooses among what is shown."""
        return rows

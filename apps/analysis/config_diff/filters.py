"""Parameters of a diff of facts: the selection whose runs, tests or hosts stand side by side."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.fields import NumbersFilter
from apps.analysis.queries.filters import SelectionFilter
from apps.inventory.models import HostFacts


class ConfigDiffFilter(SelectionFilter):
    """A selection, and moments of hosts: facts of which no result need know."""

    moment = NumbersFilter(
        queryset=HostFacts.objects.all(),
        method="as_they_are",
        label=_("Facts of a host at one time"),
    )
    all = filters.BooleanFilter(
        method="as_they_are",
        label=_("Show what is equal"),
        widget=forms.Select(choices=[("", _("no")), ("true", _("yes"))]),
    )

"""Filter of the configuration diff."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.fields import NumbersFilter
from apps.analysis.queries.filters import SelectionFilter
from apps.inventory.models import HostFacts


class ConfigDiffFilter(SelectionFilter):
    """Selection of runs, tests or hosts, and host facts (`moment`) that need no result."""

    moment = NumbersFilter(
        queryset=HostFacts.objects.all(),
        method="keep_all",
        label=_("Facts of a host at one time"),
    )
    all = filters.BooleanFilter(
        method="keep_all",
        label=_("Show what is equal"),
        widget=forms.Select(choices=[("", _("no")), ("true", _("yes"))]),
    )

"""API filter of imports."""

from __future__ import annotations

import django_filters
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.imports.models import Import, ImportState


class ImportFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    name = django_filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    state = django_filters.ChoiceFilter(choices=ImportState.choices, label=_("State"))
    owner = django_filters.ModelChoiceFilter(
        queryset=User.objects.order_by("username"), label=_("Owner")
    )

    class Meta:
        model = Import
        fields = ["name", "state", "owner"]

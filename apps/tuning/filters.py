"""Filter of tuning profiles, for the page and the API."""

from __future__ import annotations

from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.common.database.natural_order import natural_order
from apps.common.web.lists import ListColumn
from apps.tuning.domain.setting_catalog import SETTINGS
from apps.tuning.models import TuningProfile

TUNING_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("settings", _("Settings")),
    ListColumn("settle", _("Settle time"), "settle_seconds", is_number=True),
    ListColumn("plans", _("Plans"), "plan_count", is_number=True),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("changed", _("Changed"), "updated_at"),
)


class TuningFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    name = django_filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    setting = django_filters.ChoiceFilter(
        label=_("Changes"),
        choices=[(name, setting.label) for name, setting in SETTINGS.items()],
        method="with_setting",
    )
    owner = django_filters.ModelChoiceFilter(
        queryset=User.objects.order_by("username"), label=_("Owner")
    )
    archived = django_filters.BooleanFilter(
        label=_("Show archived"), method="with_archived", widget=forms.CheckboxInput
    )

    class Meta:
        model = TuningProfile
        fields = ["name", "setting", "owner", "archived"]

    def with_setting(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        return rows.filter(settings__rows__contains=[{"name": value}])

    def with_archived(self, rows: QuerySet[Any], name: str, value: bool | None) -> QuerySet[Any]:
        return rows if value else rows.filter(archived_at=None)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Hide archived profiles unless they are requested."""
        rows: QuerySet[Any] = super().filter_queryset(queryset)
        return rows if self.form.cleaned_data.get("archived") else rows.filter(archived_at=None)

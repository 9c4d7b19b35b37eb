"""The filter of the list of plans, for page and API."""

from __future__ import annotations

from typing import Any

import django_filters
from django import forms
from django.db.models import IntegerField, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.common.database.natural_order import natural_order
from apps.common.filters import AutocompleteFilter
from apps.common.web.lists import ListColumn
from apps.plans.domain.expand import tools_offered
from apps.plans.models import TestPlan
from apps.plans.selectors.schedules import has_schedule

REPEATS = Cast(KeyTextTransform("repeats", "spec"), IntegerField())
PLAN_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("steps", _("Steps")),
    ListColumn("targets", _("Targets"), "target_count", is_number=True),
    ListColumn("tunings", _("Tunings"), "tuning_count", is_number=True),
    ListColumn("repeats", _("Repeats"), REPEATS, is_number=True),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("changed", _("Changed"), "updated_at"),
)


class PlanFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    name = django_filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    tool = django_filters.ChoiceFilter(
        label=_("Tool"), choices=tools_offered, method="with_tool", empty_label=_("any")
    )
    owner = AutocompleteFilter(
        queryset=User.objects.all(), kind="people", by="username", label=_("Owner")
    )
    archived = django_filters.BooleanFilter(
        label=_("Show archived"), method="with_archived", widget=forms.CheckboxInput
    )

    scheduled = django_filters.BooleanFilter(
        label=_("Launched on a schedule"), method="with_schedule", widget=forms.CheckboxInput
    )

    class Meta:
        model = TestPlan
        fields = ["name", "tool", "owner", "archived", "scheduled"]

    def with_schedule(self, rows: QuerySet[Any], name: str, value: bool | None) -> QuerySet[Any]:
        return rows.filter(has_schedule()) if value else rows

    def with_tool(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        return rows.filter(spec__contains={"steps": [{"tool": value}]})

    def with_archived(self, rows: QuerySet[Any], name: str, value: bool | None) -> QuerySet[Any]:
        return rows if value else rows.filter(archived_at=None)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Hide archived plans by default."""
        rows: QuerySet[Any] = super().filter_queryset(queryset)
        return rows if self.form.cleaned_data.get("archived") else rows.filter(archived_at=None)

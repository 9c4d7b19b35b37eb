"""Filter of the report list, for the page and the API."""

from __future__ import annotations

from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.common.database.natural_order import natural_order
from apps.common.web.lists import ListColumn
from apps.reports.models import SavedReport

REPORT_COLUMNS = (
    ListColumn("title", _("Title"), natural_order("title")),
    ListColumn("sections", _("Sections"), "section_count", is_number=True),
    ListColumn("figures", _("Figures"), "frozen_at"),
    ListColumn("home", _("On the home page"), "dashboard_scope"),
    ListColumn("links", _("Open links"), "open_link_count", is_number=True),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("changed", _("Changed"), "updated_at"),
)


class ReportFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    title = django_filters.CharFilter(lookup_expr="icontains", label=_("Title contains"))
    owner = django_filters.ModelChoiceFilter(
        queryset=User.objects.order_by("username"), label=_("Owner")
    )
    frozen = django_filters.BooleanFilter(
        label=_("Frozen only"), method="with_frozen", widget=forms.CheckboxInput
    )

    class Meta:
        model = SavedReport
        fields = ["title", "owner", "frozen"]

    def with_frozen(self, rows: QuerySet[Any], name: str, value: bool | None) -> QuerySet[Any]:
        return rows.exclude(frozen_at=None) if value else rows

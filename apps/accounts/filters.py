"""Filters of the audit log."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AuditEntry

OBJECT_TYPES = [
    ("apitoken", _("API token")),
    ("credential", _("key")),
    ("directory", _("directory")),
    ("disk", _("disk")),
    ("host", _("host")),
    ("run", _("run")),
    ("team", _("team")),
    ("testplan", _("plan")),
    ("tuningprofile", _("tuning")),
    ("user", _("user")),
]


class AuditFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no type information
    username = filters.CharFilter(label=_("User"), lookup_expr="icontains")
    action = filters.CharFilter(label=_("Action"), lookup_expr="icontains")
    object_type = filters.ChoiceFilter(
        label=_("Object"), choices=OBJECT_TYPES, empty_label=_("all")
    )
    since = filters.DateFilter(
        label=_("Since (UTC)"),
        field_name="timestamp",
        lookup_expr="date__gte",
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    class Meta:
        model = AuditEntry
        fields: list[str] = []

"""Filters of the audit log, and columns of lists."""

from __future__ import annotations

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

import django_filters as filters
from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from apps.accounts.domain.audit_labels import ACTIONS, OBJECTS
from apps.accounts.models import AuditEntry
from apps.common.database.natural_order import natural_order
from apps.common.domain.preferences import preferences
from apps.common.web.lists import ListColumn

USER_COLUMNS = (
    ListColumn("username", _("Login name"), natural_order("username")),
    ListColumn("role", _("Role"), "role"),
    ListColumn("teams", _("Teams")),
    ListColumn("second_factor", _("Second factor"), "has_factor"),
    ListColumn("last_login", _("Last login"), "last_login"),
    ListColumn("active", _("May log in"), "is_active"),
)
TEAM_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("members", _("Members"), "member_count", is_number=True),
)
AUDIT_COLUMNS = (
    ListColumn("time", _("Time"), "timestamp"),
    ListColumn("user", _("User"), "username"),
    ListColumn("from", _("From"), "address"),
    ListColumn("action", _("Action"), "action"),
    ListColumn("object", _("Object"), "object_type"),
    ListColumn("details", _("Details")),
)


class AuditFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no type information
    username = filters.CharFilter(label=_("User"), lookup_expr="icontains")
    action = filters.ChoiceFilter(
        label=_("Action"), choices=list(ACTIONS.items()), empty_label=_("any")
    )
    object_type = filters.ChoiceFilter(
        label=_("Object"), choices=list(OBJECTS.items()), empty_label=_("any")
    )
    since = filters.DateFilter(
        label=_("Since"),
        method="with_since",
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    class Meta:
        model = AuditEntry
        fields: list[str] = []

    def with_since(
        self, rows: QuerySet[AuditEntry], name: str, value: date
    ) -> QuerySet[AuditEntry]:
        """Return entries from the begin of a day on, in the user's time zone."""
        zone = ZoneInfo(preferences().time_zone)
        return rows.filter(timestamp__gte=datetime.combine(value, time(), zone))

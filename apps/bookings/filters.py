"""Filter and columns of bookings, for pages and API."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.bookings.models import Booking
from apps.bookings.selectors.bookings import unended
from apps.common.filters import AutocompleteFilter
from apps.common.web.lists import ListColumn
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import hosts_reachable

BOOKING_COLUMNS = (
    ListColumn("state", _("State")),
    ListColumn("entries", _("Hosts and pools")),
    ListColumn("from", _("Start"), "starts_at"),
    ListColumn("to", _("End"), "ends_at"),
    ListColumn("owner", _("For"), "owner__username"),
    ListColumn("reason", _("Reason"), "reason"),
    ListColumn("actions", _("Actions")),
)


class BookingFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    host = AutocompleteFilter(
        label=_("Host"), queryset=hosts_reachable(), method="with_host", kind="hosts", by="name"
    )
    owner = AutocompleteFilter(
        label=_("Owner"), queryset=User.objects.all(), kind="people", by="username"
    )
    kind = filters.ChoiceFilter(label=_("Kind"), choices=Booking.Kind.choices, empty_label=_("any"))
    ended = filters.BooleanFilter(
        label=_("Show ended"), method="with_ended", widget=forms.CheckboxInput
    )

    class Meta:
        model = Booking
        fields: list[str] = []

    def with_host(
        self, rows: QuerySet[Booking], name: str, value: Host | None
    ) -> QuerySet[Booking]:
        return rows if value is None else rows.filter(hosts=value)

    def with_ended(self, rows: QuerySet[Booking], name: str, value: bool) -> QuerySet[Booking]:
        """Return all rows: `filter_queryset` hides the ended ones by default."""
        return rows

    def filter_queryset(self, queryset: QuerySet[Booking]) -> QuerySet[Booking]:
        """Filter; hide ended bookings by default."""
        rows: QuerySet[Booking] = super().filter_queryset(queryset)
        ended = self.form.cleaned_data.get("ended")
        return rows if ended else rows.filter(unended(timezone.now()))

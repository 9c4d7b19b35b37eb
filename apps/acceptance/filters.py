"""Filter and columns of acceptances, for pages and API."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.acceptance.models import Acceptance
from apps.accounts.models import User
from apps.common.filters import AutocompleteFilter
from apps.common.web.lists import ListColumn

ACCEPTANCE_COLUMNS = (
    ListColumn("name", _("Name"), "name"),
    ListColumn("state", _("State"), "state"),
    ListColumn("disks", _("Disks"), "disk_count", is_number=True),
    ListColumn("accepted", _("Accepted"), "accepted_count", is_number=True),
    ListColumn("rejected", _("Rejected"), "rejected_count", is_number=True),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("created", _("Started"), "created_at"),
)


class AcceptanceFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    state = filters.ChoiceFilter(
        label=_("State"), choices=Acceptance.State.choices, empty_label=_("any")
    )
    owner = AutocompleteFilter(
        label=_("Owner"), queryset=User.objects.all(), kind="people", by="username"
    )

    class Meta:
        model = Acceptance
        fields: list[str] = []

"""The filter of imports of the API, and the columns of their list."""

from __future__ import annotations

import django_filters
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.common.database.natural_order import natural_order
from apps.common.web.lists import ListColumn
from apps.imports.models import Import, ImportState

IMPORT_COLUMNS = (
    ListColumn("number", "#", "pk", is_number=True),
    ListColumn("name", _("Import"), natural_order("name")),
    ListColumn("state", _("State"), "state"),
    ListColumn("files", _("Files"), "file_count", is_number=True),
    ListColumn("parsed", _("Parsed"), "understood_count", is_number=True),
    ListColumn("run", _("Run"), "run_id"),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("sent", _("Sent"), "created_at"),
)


class ImportFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    name = django_filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    state = django_filters.ChoiceFilter(choices=ImportState.choices, label=_("State"))
    owner = django_filters.ModelChoiceFilter(
        queryset=User.objects.order_by("username"), label=_("Owner")
    )

    class Meta:
        model = Import
        fields = ["name", "state", "owner"]

"""Filter and columns of baselines."""

from __future__ import annotations

from typing import ClassVar

import django_filters
from django.utils.translation import gettext_lazy as _

from apps.common.database.natural_order import natural_order
from apps.common.web.lists import ListColumn
from apps.results.models import Baseline

BASELINE_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("of", _("Of")),
    ListColumn("run", _("Run"), "run_id"),
    ListColumn("note", _("Note")),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("since", _("Since"), "created_at"),
)


class BaselineFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    """Filter by run, target or disk model."""

    disk_model = django_filters.CharFilter(field_name="disk_model__name")

    class Meta:
        model = Baseline
        fields: ClassVar[list[str]] = ["run", "target"]

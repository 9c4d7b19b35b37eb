"""Filter of baselines."""

from __future__ import annotations

from typing import ClassVar

import django_filters

from apps.results.models import Baseline


class BaselineFilter(django_filters.FilterSet):  # type: ignore[misc] # no type information is published
    """Filter by run, target or disk model."""

    disk_model = django_filters.CharFilter(field_name="disk_model__name")

    class Meta:
        model = Baseline
        fields: ClassVar[list[str]] = ["run", "target"]

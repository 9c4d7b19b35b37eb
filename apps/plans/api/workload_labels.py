"""Workload labels in the API, unique among the rows of a response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.plans.domain.workload_labels import Labelled, unique_labels
from apps.plans.models import Workload


@extend_schema_field(OpenApiTypes.STR)
class WorkloadLabelField(serializers.Field[Any, Any, str, Any]):
    """The label of a row's workload, distinct from those of all other rows of the response."""

    def __init__(self, **options: Any) -> None:
        super().__init__(source="workload", read_only=True, **options)
        self._labels: Mapping[int, str] = {}

    def to_representation(self, value: Workload) -> str:
        """Return the label."""
        if value.pk not in self._labels:
            self._labels = self._worked_out()
        return self._labels.get(value.pk, value.label)

    def _worked_out(self) -> Mapping[int, str]:
        own = self.parent
        listed = isinstance(own.parent, serializers.ListSerializer)
        rows: list[Any] = list(own.parent.instance or ()) if listed else [own.instance]
        # One query: rows share few workloads, and may not have read their parameters.
        result = Workload.objects.filter(pk__in={row.workload_id for row in rows}).order_by("pk")
        return unique_labels({one.pk: Labelled(one.tool, one.params, one.label) for one in result})

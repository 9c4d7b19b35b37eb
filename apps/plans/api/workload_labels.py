"""The API's label of a workload: no two rows of an answer have the same for different ones."""

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
    """Of a row with a workload, told apart from the workloads of all rows of the answer."""

    def __init__(self, **options: Any) -> None:
        super().__init__(source="workload", read_only=True, **options)
        self._labels: Mapping[int, str] = {}

    def to_representation(self, value: Workload) -> str:
        """The workload's label."""
        if value.pk not in self._labels:
            self._labels = self._worked_out()
        return self._labels.get(value.pk, value.label)

    def _worked_out(self) -> Mapping[int, str]:
        own = self.parent
        listed = isinstance(own.parent, serializers.ListSerializer)
        rows: list[Any] = list(own.parent.instance or ()) if listed else [own.instance]
        # One query: rows share few workloads, and may not have read their parameters.
        found = Workload.objects.filter(pk__in={row.workload_id for row in rows}).order_by("pk")
        return unique_labels({one.pk: Labelled(one.tool, one.params, one.label) for one in found})

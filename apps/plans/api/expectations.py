"""Expectations in the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import StrictSerializer
from apps.plans.domain.value_parser import EXPECTED
from apps.plans.forms.expectations import SOURCES
from apps.plans.schemas.expectations import Expectation, Expectations

METRIC_NAMES = [metric.key for metric in EXPECTED]
SOURCE_NAMES = [name for name, _label in SOURCES]


class StepExpectationSerializer(StrictSerializer):
    metric = serializers.ChoiceField(choices=METRIC_NAMES)
    direction = serializers.ChoiceField(choices=["least", "most"], default="least")
    value = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Bytes/s, operations/s, ns. Null: what the disk's own page says at the launch, "
        "of a provider's promise (IOPS, bandwidth) or a disk's model (IOPS).",
    )
    unit = serializers.CharField(
        max_length=10, default="", allow_blank=True, help_text='What it is shown in: "MB/s", "ms".'
    )
    tolerance = serializers.FloatField(default=0.0, help_text="Percent of the value.")
    source = serializers.ChoiceField(choices=SOURCE_NAMES, default="own")  # type: ignore[assignment] # named as in the API, an argument here
    operation = serializers.CharField(
        max_length=20, default="", allow_blank=True, help_text="Blank: each operation of the step."
    )


def expected_of(step: Mapping[str, Any]) -> Expectations:
    """Return the expectations of a step's validated data."""
    return tuple(Expectation(**row) for row in step.get("expectations", ()))

"""A plan and its preview in the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.models import Team
from apps.common.rest.serializers import (
    ExtraKeywords,
    StrictModelSerializer,
    StrictSerializer,
    Validated,
)
from apps.plans.api.expectations import StepExpectationSerializer, expected_of
from apps.plans.api.preconditioning import PreparationSerializer
from apps.plans.forms.steps import MAX_STEPS
from apps.plans.models import TestPlan
from apps.plans.schemas.factors import FACTOR_HELP, MOST_LETTERS, TUNING
from apps.plans.schemas.plan import (
    FAIL,
    INTERLEAVED,
    LISTED,
    MAX_REPEATS,
    RUN_UNTUNED,
    PlanSpec,
    StepSpec,
)
from apps.plans.schemas.steady_state import LEAST_ROUNDS, MOST_ROUNDS, SteadyStateRule
from apps.plans.schemas.stopping import (
    LEAST_WITHIN,
    MOST_BLOCKS,
    MOST_HOURS,
    MOST_WITHIN,
    USUAL_BLOCKS,
    PrecisionLimits,
)
from apps.plans.selectors.target_names import target_value, targets_named
from apps.tools.values import RawParameters
from apps.tuning.models import TuningProfile


@extend_schema_field(OpenApiTypes.OBJECT)
class ParamsField(serializers.JSONField):
    """A tool's parameters: name to a value, or to a list of values for a sweep."""

    def to_internal_value(self, data: Any) -> RawParameters:
        value = super().to_internal_value(data)
        if not isinstance(value, dict):
            raise serializers.ValidationError(_("Parameters are an object: name to value."))
        return value


class StepSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    tool = serializers.CharField(max_length=20)
    params = ParamsField()
    expectations = StepExpectationSerializer(many=True, required=False, default=list)
    line = serializers.IntegerField(
        required=False,
        write_only=True,
        help_text="Line of a pasted text, as plans/from-text/ answers it; it is not stored.",
    )

    def to_internal_value(self, data: Any) -> Any:
        step = super().to_internal_value(data)
        return StepSpec(step["tool"], step["params"], step["name"], expected_of(step))


class RoundsSerializer(StrictSerializer):
    """Every test once a round until the tracked figure is steady, instead of repeats."""

    max_rounds = serializers.IntegerField(
        min_value=0, max_value=MOST_ROUNDS, default=0, help_text="Rounds at most; 0: none."
    )
    step = serializers.IntegerField(
        min_value=1, max_value=1000, default=1, help_text="The tracked step, counted from 1."
    )
    metric = serializers.ChoiceField(choices=["iops", "bandwidth", "latency_mean"], default="iops")

    def validate_max_rounds(self, most: int) -> int:
        if 0 < most < LEAST_ROUNDS:
            raise serializers.ValidationError(_("A window has five rounds: 5 at least, or 0."))
        return most

    def to_internal_value(self, data: Any) -> Any:
        return SteadyStateRule(**super().to_internal_value(data))


class UntilSerializer(StrictSerializer):
    """Blocks are added until every interval is within that precision, or a limit is reached."""

    precision_percent = serializers.FloatField(min_value=LEAST_WITHIN, max_value=MOST_WITHIN)
    max_blocks = serializers.IntegerField(
        min_value=1, max_value=MOST_BLOCKS, default=USUAL_BLOCKS, help_text="Blocks at most."
    )
    max_hours = serializers.FloatField(
        min_value=0.01, max_value=MOST_HOURS, allow_null=True, default=None
    )
    factor = serializers.CharField(max_length=MOST_LETTERS, default=TUNING, help_text=FACTOR_HELP)

    def to_internal_value(self, data: Any) -> Any:
        return PrecisionLimits(**super().to_internal_value(data))


class TargetsField(serializers.ListField):
    """Targets: "disk:12", "directory:3", "pool:4", "group:2", "pair:5-7" (client, server)."""

    child = serializers.CharField(max_length=40)

    def get_attribute(self, instance: TestPlan) -> list[str]:
        return [target_value(target.target.row) for target in instance.targets.all()]


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}], "nullable": True})
class BaselineField(serializers.Field[TuningProfile | None, Any, int | None, Any]):
    """The tuning that the others are compared with, by name or id; empty for the default one."""

    def to_internal_value(self, data: Any) -> TuningProfile | None:
        if isinstance(data, bool) or not isinstance(data, int | str):
            raise serializers.ValidationError(_("Name a tuning, or give its id."))
        if data == "":
            return None
        named = TuningProfile.objects.filter(name=data).first() if isinstance(data, str) else None
        if named is None and str(data).isascii() and str(data).isdigit():
            named = TuningProfile.objects.filter(pk=int(data)).first()
        if named is None:
            raise serializers.ValidationError(_("There is no such tuning."))
        return named

    def to_representation(self, value: TuningProfile | None) -> int | None:
        return value.pk if value else None


class PlanSerializer(StrictModelSerializer[TestPlan]):
    steps = StepSerializer(many=True, required=False, source="spec.steps")
    targets = TargetsField(
        required=False,
        max_length=1000,
        help_text='"disk:<id>", "directory:<id>", "pool:<id>", "group:<id>", or '
        '"pair:<client host>-<server host>"',
    )
    tunings = serializers.PrimaryKeyRelatedField(
        queryset=TuningProfile.objects.all(), many=True, required=False
    )
    baseline = BaselineField(
        required=False,
        allow_null=True,
        help_text="The tuning that the others are compared with, by name or id. Empty: the host "
        "defaults where the plan has them, else the first of its tunings.",
    )
    on_tuning_unavailable = serializers.ChoiceField(
        choices=[FAIL, RUN_UNTUNED],
        required=False,
        source="spec.on_tuning_unavailable",
        help_text="What happens to a test whose tuning cannot be applied.",
    )
    repeats = serializers.IntegerField(
        min_value=1, max_value=MAX_REPEATS, required=False, source="spec.repeats"
    )
    order = serializers.ChoiceField(
        choices=[LISTED, INTERLEAVED], required=False, source="spec.order"
    )
    stopping_rule = UntilSerializer(required=False, allow_null=True, source="spec.stopping_rule")
    load_search_parameter = serializers.CharField(
        max_length=40,
        required=False,
        allow_blank=True,
        source="spec.load_search_parameter",
        help_text="Search the largest value of this load parameter that meets the expectations.",
    )
    load_search_max_hours = serializers.FloatField(
        min_value=0.01,
        max_value=MOST_HOURS,
        required=False,
        allow_null=True,
        source="spec.load_search_max_hours",
    )
    preconditioning = PreparationSerializer(required=False, source="spec.preconditioning")
    steady_state = RoundsSerializer(required=False, source="spec.steady_state")
    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = TestPlan
        fields: ClassVar[list[str]] = [
            *("id", "name", "description", "steps", "targets", "tunings", "baseline"),
            *("on_tuning_unavailable", "repeats", "order", "stopping_rule"),
            *("load_search_parameter", "load_search_max_hours", "preconditioning", "steady_state"),
            *("owner", "team", "archived_at", "created_at", "updated_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["archived_at"]
        # The service's own check names the field; the default one would ask twice.
        extra_kwargs: ClassVar[ExtraKeywords] = {"name": {"validators": []}}

    def validate_steps(self, steps: list[StepSpec]) -> list[StepSpec]:
        if len(steps) > MAX_STEPS:
            raise serializers.ValidationError(_("A plan has at most 50 steps."))
        return steps

    def validate_targets(self, values: list[str]) -> list[Any]:
        found = targets_named(values)
        if len(found) != len(dict.fromkeys(values)):
            raise serializers.ValidationError(_("There is no such target."))
        return found


def draft_values(data: Validated, spec: PlanSpec) -> Validated:
    """Return validated data as a draft's fields; what is not given stays as in `spec`."""
    values = dict(data)
    return values | {"spec": msgspec.structs.replace(spec, **_tuples(values.get("spec", {})))}


def _tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if key == "steps" else value for key, value in fields.items()}


class PlanCloneSerializer(StrictSerializer):
    name = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)


class TemplateSerializer(StrictSerializer):
    template = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    steps = StepSerializer(many=True)
    repeats = serializers.IntegerField()
    preconditioning = PreparationSerializer()
    steady_state = RoundsSerializer()

"""Plans and their steps in the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, get_args

import msgspec
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.models import Team
from apps.common.api.key_lists import RowField
from apps.common.api.schema_serializer import serializer_fields
from apps.common.api.serializers import (
    ExtraKeywords,
    StrictModelSerializer,
    StrictSerializer,
    Validated,
)
from apps.common.domain.keys import parse_key
from apps.plans.api.expectations import StepExpectationSerializer, expected_of
from apps.plans.forms.steps import MAX_STEPS
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import (
    BACKGROUND,
    MAX_SETTLE_SECONDS,
    MEASURED,
    PLAN_SPEC,
    SETTLE_SECONDS,
    PlanSpec,
    StepRole,
    StepSpec,
)
from apps.plans.selectors.target_names import target_value, targets_named
from apps.tools.values import RawParameters
from apps.tuning.models import TuningProfile

STEP_ROLES = list(get_args(StepRole))


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
    role = serializers.ChoiceField(
        choices=STEP_ROLES,
        required=False,
        default=MEASURED,
        help_text="background: a load beside every measured step, which is done without it, too",
    )
    target = serializers.CharField(
        max_length=40,
        required=False,
        allow_blank=True,
        default="",
        help_text="What a background step loads, written as in `targets`; empty: the target of the "
        "measured step.",
    )
    settle_seconds = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=MAX_SETTLE_SECONDS,
        default=SETTLE_SECONDS,
        help_text="How long a background step runs before the measured step begins.",
    )
    line = serializers.IntegerField(
        required=False,
        write_only=True,
        help_text="Line of a pasted text, as plans/from-text/ answers it; it is not stored.",
    )

    def to_internal_value(self, data: Any) -> Any:
        step = super().to_internal_value(data)
        background = step["role"] == BACKGROUND
        return StepSpec(
            step["tool"],
            step["params"],
            step["name"],
            expected_of(step),
            step["role"],
            step["target"] if background else "",
            step["settle_seconds"] if background else SETTLE_SECONDS,
        )


class TargetsField(serializers.ListField):
    """Targets: "disk:12", "directory:3", "pool:4", "group:2", "pair:5-7" (client, server)."""

    child = serializers.CharField(max_length=40)

    def get_attribute(self, instance: TestPlan) -> list[str]:
        return [target_value(target.target.row) for target in instance.targets.all()]


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string"}], "nullable": True})
class BaselineField(serializers.Field[TuningProfile | None, Any, int | None, Any]):
    """The tuning profile that others are compared with, by name or id; empty: the default one."""

    def to_internal_value(self, data: Any) -> TuningProfile | None:
        if isinstance(data, bool) or not isinstance(data, int | str):
            raise serializers.ValidationError(_("Name a tuning, or give its id."))
        if data == "":
            return None
        named = TuningProfile.objects.filter(name=data).first() if isinstance(data, str) else None
        if named is None:
            named = TuningProfile.objects.filter(pk=parse_key(str(data))).first()
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
    tunings = RowField(queryset=TuningProfile.objects.all(), many=True, required=False)
    baseline = BaselineField(
        required=False,
        allow_null=True,
        help_text="The tuning that the others are compared with, by name or id. Empty: the host "
        "defaults where the plan has them, else the first of its tunings.",
    )
    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = TestPlan
        fields: ClassVar[list[str]] = [
            *("id", "name", "description", "steps", "targets", "tunings", "baseline"),
            *("owner", "team", "archived_at", "created_at", "updated_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["archived_at"]
        # The service checks uniqueness; the default validator would query twice.
        extra_kwargs: ClassVar[ExtraKeywords] = {"name": {"validators": []}}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return super().get_fields() | serializer_fields(PLAN_SPEC.kind, source="spec")

    def validate_steps(self, steps: list[StepSpec]) -> list[StepSpec]:
        if len(steps) > MAX_STEPS:
            raise serializers.ValidationError(_("A plan has at most 50 steps."))
        return steps

    def validate_targets(self, values: list[str]) -> list[Any]:
        result = targets_named(values)
        if len(result) != len(dict.fromkeys(values)):
            raise serializers.ValidationError(_("There is no such target."))
        return result


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
    name = serializers.CharField(source="draft.name")
    description = serializers.CharField(source="draft.description")
    steps = StepSerializer(many=True, source="draft.spec.steps")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return super().get_fields() | serializer_fields(PLAN_SPEC.kind, source="draft.spec")

"""Plan previews in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import StrictSerializer
from apps.plans.api.serializers import ParamsField
from apps.plans.schemas.errors import problem_field
from apps.plans.schemas.planned import MEASURE, PRECONDITION
from apps.plans.schemas.targets import PlannedTarget


class ProblemSerializer(StrictSerializer):
    field = serializers.SerializerMethodField()
    message = serializers.CharField()

    @extend_schema_field(serializers.CharField())
    def get_field(self, problem: Any) -> str:
        return problem_field(problem)


class AdviceSerializer(StrictSerializer):
    """What would make a measurement misleading, why, and the value that follows the advice."""

    step = serializers.IntegerField(allow_null=True, help_text="index of the step, from 0")
    field = serializers.CharField()
    value = serializers.JSONField(allow_null=True, help_text="null: leave the parameter out")
    message = serializers.CharField(source="text")
    reason = serializers.CharField()


class CaseTargetSerializer(StrictSerializer):
    kind = serializers.CharField(help_text='"disk", "directory", "pool", "pair" or "group".')
    id = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment] # named as in the API, a field here
    host = serializers.IntegerField(source="host_id")
    hosts = serializers.SerializerMethodField(help_text="Every host that takes part.")

    def get_hosts(self, target: PlannedTarget) -> list[int]:
        return [host.id for host in target.hosts]


class PreviewCaseSerializer(StrictSerializer):
    sequence = serializers.IntegerField()
    block = serializers.IntegerField()
    repeat = serializers.IntegerField()
    step = serializers.IntegerField(
        allow_null=True, help_text="index of the step, from 0; null for a preparation"
    )
    purpose = serializers.CharField(help_text=f'"{MEASURE}" or "{PRECONDITION}".')
    tool = serializers.CharField()
    params = ParamsField()
    workload = serializers.CharField(source="workload_key")
    label = serializers.CharField()  # type: ignore[assignment] # named as in the API, a field here
    target = CaseTargetSerializer()
    tuning = serializers.CharField(source="tuning.name")
    seconds = serializers.FloatField()
    bytes_written = serializers.IntegerField(allow_null=True)
    writes = serializers.BooleanField()


class PlannedRestartsSerializer(StrictSerializer):
    """Daemons of Ceph that a tuning profile restarts. `count` is of the whole run."""

    tuning = serializers.CharField()
    target = CaseTargetSerializer()
    daemons = serializers.ListField(child=serializers.CharField(), help_text='"mon.a", "osd.3"')
    count = serializers.IntegerField()
    seconds = serializers.FloatField(help_text="expected, part of the preview's seconds")


class PlannedWearSerializer(StrictSerializer):
    """What the run costs one disk; percentages are of the rated bytes. Null: unknown."""

    disk = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment] # named as in the API, a field here
    bytes_written = serializers.IntegerField()
    depends_on_speed = serializers.BooleanField(help_text="Timed cases count at 1 GiB/s.")
    drive_writes = serializers.FloatField(allow_null=True)
    rated_percent = serializers.FloatField(allow_null=True)
    written_percent = serializers.FloatField(allow_null=True, help_text="Until now, by SMART.")
    hours = serializers.FloatField()


class PreviewSerializer(StrictSerializer):
    """The preview of a plan.

    `bytes_written` is null if only the device's speed decides it; `max_case_count` and
    `max_seconds` are null if no blocks may be added.
    """

    case_count = serializers.IntegerField(source="totals.cases")
    seconds = serializers.FloatField()
    bytes_written = serializers.IntegerField(allow_null=True)
    max_case_count = serializers.IntegerField(
        source="max_totals.cases", allow_null=True, default=None
    )
    max_seconds = serializers.FloatField(source="max_totals.seconds", allow_null=True, default=None)
    problems = ProblemSerializer(many=True)
    warnings = ProblemSerializer(many=True)
    advice = AdviceSerializer(many=True)
    restarts = PlannedRestartsSerializer(many=True)
    wear = PlannedWearSerializer(many=True)
    cases = PreviewCaseSerializer(many=True)
    background_loads = PreviewCaseSerializer(
        many=True, source="loads", help_text="The load beside each case that has one."
    )

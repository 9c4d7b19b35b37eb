"""Serializers of cases and attempts."""

from __future__ import annotations

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    SchemaSerializerField,
    StrictModelSerializer,
    StrictSerializer,
)
from apps.inventory.schemas.backing_arrays import BACKING
from apps.plans.api.workload_labels import WorkloadLabelField
from apps.runs.models import Attempt, AttemptJob, Case, FailureCause
from apps.runs.selectors.effective_settings import PROBLEMS, effective_settings
from apps.runs.selectors.exits import exit_of
from apps.runs.selectors.unresponsive_hosts import contact_lost_since
from apps.runs.services.snapshot import is_alone


class AttemptJobSerializer(StrictModelSerializer[AttemptJob]):
    """Job of an attempt on one host. `exit` is the agent's report of its end."""

    class Meta:
        model = AttemptJob
        fields = [
            "id", "host", "name", "stage", "role", "state", "error", "refusal", "exit",
            "clock_offset", "clock_uncertainty",
        ]  # fmt: skip
        read_only_fields = fields


class EffectiveSettingSerializer(StrictSerializer):
    """Setting of one scope, read around the measurement."""

    host = serializers.IntegerField()
    kind = serializers.CharField()
    identity = serializers.CharField(
        help_text="Of the disk or the section of Ceph's configuration; empty for the host."
    )
    name = serializers.CharField()
    requested = serializers.CharField(allow_null=True, help_text="Null if no profile sets it.")
    before = serializers.CharField(allow_null=True)
    during = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)
    problems = serializers.ListField(
        child=serializers.ChoiceField(PROBLEMS),
        help_text="changed: it did not keep its value; conflicts: somebody else set it meanwhile; "
        "failed: it could not be restored.",
    )


class AttemptSerializer(StrictModelSerializer[Attempt]):
    contact_lost_since = serializers.SerializerMethodField()
    valid = serializers.SerializerMethodField(
        help_text="Whether its figures may be compared; null until it has ended, false where it "
        "failed (`reason`) or its figures are doubtful (`invalid_reason`)."
    )
    failure_cause = serializers.ChoiceField(FailureCause.choices, allow_blank=True, read_only=True)
    artifacts = serializers.SlugRelatedField("name", many=True, read_only=True)  # type: ignore[var-annotated]
    jobs = AttemptJobSerializer(many=True, read_only=True)
    settings = serializers.SerializerMethodField(
        help_text="Every setting that was lent, or read on the disks under test: before, during "
        "and after."
    )
    background = SchemaSerializerField(
        allow_null=True,
        help_text="What the background load did: `figures`, which are never compared, "
        "`ahead_seconds` before the test, and `fault` where it does not cover the test.",
    )
    exit = serializers.SerializerMethodField(
        help_text="As before there were `jobs`, which say the same in one form: the exit of the "
        "only job; of several `codes`, `signals`, `jobs`, `starts`, `tuning` and why benchlab "
        "ended them early (`early_end`)."
    )

    disturbance = serializers.SerializerMethodField(
        help_text="Marks, phases and series of what was done to the cluster; null without."
    )

    class Meta:
        model = Attempt
        fields = [
            "id", "number", "state", "phase", "reason", "failure_cause", "valid", "invalid_reason",
            "warnings", "argv", "exit", "jobs", "settings", "background", "tool_version",
            "contact_lost_since",
            "created_at", "started_at", "ended_at", "facts", "artifacts",
            "disturbance",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field({"type": "object", "additionalProperties": {}})
    def get_exit(self, attempt: Attempt) -> dict[str, object]:
        return exit_of(attempt)

    @extend_schema_field({"type": "object", "additionalProperties": {}, "nullable": True})
    def get_disturbance(self, attempt: Attempt) -> Any:
        record = getattr(attempt, "disturbance", None)
        return msgspec.to_builtins(record.document) if record is not None else None

    @extend_schema_field(EffectiveSettingSerializer(many=True))
    def get_settings(self, attempt: Attempt) -> Any:
        return EffectiveSettingSerializer(effective_settings(attempt.jobs.all()), many=True).data

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_valid(self, attempt: Attempt) -> bool | None:
        return attempt.valid if attempt.is_final else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_contact_lost_since(self, attempt: Attempt) -> Any:
        return contact_lost_since(attempt)


class MemberSerializer(StrictSerializer):
    """Member of a case's target; the component of a result with the same label."""

    role = serializers.ChoiceField(["client", "server"])
    host = serializers.IntegerField(source="host_id")
    host_name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # the API's word, a field here
    array = SchemaSerializerField(
        source="backing", help_text="The array of a disk at the launch; null without one."
    )
    kind = serializers.CharField(help_text='"disk", "directory", "pool" or "pair".')
    id = serializers.IntegerField(source="target_id", allow_null=True)
    identity = serializers.CharField()
    size = serializers.IntegerField(allow_null=True)
    pool_layout = serializers.DictField(
        allow_null=True, help_text="How the pool is made; null where it is found."
    )


class CaseSerializer(StrictModelSerializer[Case]):
    workload = serializers.SlugRelatedField("key", read_only=True)  # type: ignore[var-annotated]
    label = WorkloadLabelField()  # type: ignore[assignment] # the API's word, a field here
    tool = serializers.CharField(read_only=True)
    params = serializers.JSONField(read_only=True)
    host = serializers.IntegerField(source="host_id", read_only=True)
    target = serializers.IntegerField(
        source="run_target.target_id", read_only=True, allow_null=True
    )
    target_name = serializers.CharField(source="target_words", read_only=True)
    target_kind = serializers.CharField(
        read_only=True,
        help_text='"disk", "directory", "pool", "pair" or "group"; empty for imported results.',
    )
    level = serializers.CharField(
        source="run_target.level",
        read_only=True,
        help_text="Of the array that a group was said to be: raid5 ...; empty without one.",
    )
    hosts = serializers.ListField(
        child=serializers.IntegerField(),
        source="host_ids",
        read_only=True,
        help_text="Every host that takes part, the first one first.",
    )
    array = serializers.SerializerMethodField(
        help_text="The array of a single disk at the launch: `source` is entered or host."
    )
    members = serializers.SerializerMethodField(
        help_text="What each host does; empty for a single disk or directory."
    )
    tuning = serializers.IntegerField(source="tuning_id", read_only=True, allow_null=True)
    tuning_name = serializers.CharField(read_only=True)
    tuning_settings = SchemaSerializerField(read_only=True)
    failure_cause = serializers.ChoiceField(FailureCause.choices, allow_blank=True, read_only=True)

    class Meta:
        model = Case
        fields = [
            "id", "run", "sequence", "block", "repeat", "workload", "label", "step_name", "tool",
            "params", "host", "target", "target_name", "target_kind", "level", "array", "hosts",
            "members",
            "tuning", "tuning_name", "tuning_settings",
            "expected_seconds", "purpose", "state", "reason", "failure_cause",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(SchemaSerializerField(allow_null=True))
    def get_array(self, case: Case) -> Any:
        array = case.members[0].backing if len(case.members) == 1 else None
        return None if array is None else BACKING.plain(array)

    @extend_schema_field(MemberSerializer(many=True))
    def get_members(self, case: Case) -> Any:
        shown = () if is_alone(case.run_target) else case.members
        return MemberSerializer(shown, many=True).data


class CaseDetailSerializer(CaseSerializer):
    attempts = AttemptSerializer(many=True, read_only=True)

    class Meta(CaseSerializer.Meta):
        fields = [*CaseSerializer.Meta.fields, "attempts"]
        read_only_fields = fields

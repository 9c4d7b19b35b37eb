"""Serializers of runs and of requests about them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    SchemaSerializerField,
    StrictModelSerializer,
    StrictSerializer,
)
from apps.common.domain.messages import localize_message
from apps.plans.models import TestPlan
from apps.plans.schemas.disturbance import MAX_MEMBER_LENGTH
from apps.plans.schemas.factors import FACTOR_HELP, MAX_LETTERS, TUNING
from apps.plans.schemas.plan import MAX_REPEATS
from apps.plans.schemas.stopping import (
    MAX_BLOCKS,
    MAX_HOURS,
    MAX_WITHIN,
    MIN_WITHIN,
    USUAL_BLOCKS,
)
from apps.runs.api.queue import PriorityField, StartForecastSerializer
from apps.runs.models import AbandonedAttempt, Priority, Run, RunExtension, RunState
from apps.runs.presenters.run_facts import hosts_of
from apps.runs.selectors.forecasts import queue_forecast
from apps.runs.selectors.runs import (
    baseline_of,
    hosts_met,
    run_progress,
)
from apps.runs.selectors.unresponsive_hosts import abandoned_of_run
from apps.runs.services.extension import MAX_SELECTED_CASES


class RunSerializer(StrictModelSerializer[Run]):
    owner = serializers.SlugRelatedField("username", read_only=True)  # type: ignore[var-annotated]
    team = serializers.SlugRelatedField("name", read_only=True, allow_null=True)  # type: ignore[var-annotated]
    reason = serializers.CharField(source="reason_now", read_only=True)
    priority = PriorityField(read_only=True)

    class Meta:
        model = Run
        fields = [
            "id", "name", "plan", "origin", "note", "tags", "state", "reason", "owner", "team",
            "priority",
            "case_count", "expected_seconds", "queued_at", "started_at", "finished_at",
            "cancel_requested_at", "archived_at",
        ]  # fmt: skip
        read_only_fields = [name for name in fields if name not in ("note", "tags")]


class AdviceNoteSerializer(StrictSerializer):
    """Advice of the preview that was not taken; `step` counts from 0."""

    step = serializers.IntegerField(allow_null=True)
    field = serializers.CharField()
    message = serializers.CharField(source="text")
    reason = serializers.CharField()


class ProgressSerializer(StrictSerializer):
    """Number of cases by state. `done`: succeeded, failed, lost and unconfirmed cases.

    Times in seconds: `remaining` is null while the run waits; `late` is the delay of running cases.
    """

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()
    lost = serializers.IntegerField()
    unconfirmed = serializers.IntegerField()
    cancelled = serializers.IntegerField()
    skipped = serializers.IntegerField(help_text="skipped")
    elapsed = serializers.FloatField()
    remaining = serializers.FloatField(allow_null=True)
    late = serializers.FloatField()


class AbandonedAttemptSerializer(StrictModelSerializer[AbandonedAttempt]):
    """Attempt that ended without confirmation from its host.

    Its resources stay claimed until `ended_at`. `confirmed`: the host confirmed the end, else
    the admin `ended_by` did.
    """

    host_name = serializers.CharField(source="host.name", read_only=True)
    case = serializers.IntegerField(source="attempt.case_id", read_only=True)
    abandoned_by = serializers.SlugRelatedField("username", read_only=True, allow_null=True)  # type: ignore[var-annotated]
    ended_by = serializers.SlugRelatedField("username", read_only=True, allow_null=True)  # type: ignore[var-annotated]

    class Meta:
        model = AbandonedAttempt
        fields = [
            "case", "host", "host_name", "abandoned_at", "abandoned_by", "reason", "ended_at",
            "confirmed", "ended_by", "confirmation_note",
        ]  # fmt: skip
        read_only_fields = fields


class PlanSpecField(SchemaSerializerField):
    """Spec of the plan at the launch; null for an imported run."""

    def get_attribute(self, instance: Run) -> Any:
        return None if instance.is_imported else instance.spec


class RunExtensionSerializer(StrictModelSerializer[RunExtension]):
    by = serializers.CharField(source="by.username", default=None)
    reason = serializers.SerializerMethodField()

    class Meta:
        model = RunExtension
        fields: ClassVar[list[str]] = [
            *("position", "kind", "rule", "repeats", "precision_percent", "max_hours", "factor"),
            *("first_block", "last_block", "cases", "reason", "by", "at"),
        ]

    def get_reason(self, extension: RunExtension) -> str:
        return localize_message(extension.reason)


class RunDetailSerializer(RunSerializer):
    spec = PlanSpecField(read_only=True, allow_null=True)
    advice_not_taken = AdviceNoteSerializer(many=True, read_only=True)
    progress = serializers.SerializerMethodField()
    hosts = serializers.SerializerMethodField(help_text="The names of all hosts that take part.")
    baseline = serializers.SerializerMethodField(
        help_text="The tuning that comparisons set the others against; empty without any."
    )
    abandoned_attempts = serializers.SerializerMethodField()
    forecast = serializers.SerializerMethodField(help_text="null unless the run is queued.")
    extensions = serializers.SerializerMethodField(
        help_text="The launch, the repeats added since and the answers of rules, oldest first."
    )

    class Meta(RunSerializer.Meta):
        fields = [
            *(*RunSerializer.Meta.fields, "hosts", "baseline", "spec", "seed", "progress"),
            "advice_not_taken",
            *("abandoned_attempts", "extensions", "forecast"),
        ]
        read_only_fields = [*RunSerializer.Meta.read_only_fields, "spec", "seed"]

    @extend_schema_field(StartForecastSerializer(allow_null=True))
    def get_forecast(self, run: Run) -> Any:
        if run.state != RunState.QUEUED:
            return None
        row = queue_forecast().get(run.pk)
        return StartForecastSerializer(row).data if row else None

    def get_hosts(self, run: Run) -> list[str]:
        return hosts_met([run]).get(run.pk) or hosts_of(run)

    def get_baseline(self, run: Run) -> str:
        return baseline_of(run)

    @extend_schema_field(AbandonedAttemptSerializer(many=True))
    def get_abandoned_attempts(self, run: Run) -> Any:
        return AbandonedAttemptSerializer(abandoned_of_run(run), many=True).data

    @extend_schema_field(RunExtensionSerializer(many=True))
    def get_extensions(self, run: Run) -> Any:
        rows = run.extensions.select_related("by")
        return RunExtensionSerializer(rows, many=True).data

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, run: Run) -> dict[str, object]:
        now = run_progress(run)
        return {
            "total": now.total, "done": now.done, "succeeded": now.succeeded, "failed": now.failed,
            "lost": now.lost, "unconfirmed": now.unconfirmed, "cancelled": now.cancelled,
            "skipped": now.skipped,
            "elapsed": now.elapsed, "remaining": now.remaining, "late": now.late,
        }  # fmt: skip


class RepeatsSerializer(StrictSerializer):
    """`repeats` more, or blocks until every interval is within `precision_percent`.

    `cases`: only of the tests of these cases, under every tuning they had.
    """

    repeats = serializers.IntegerField(min_value=1, max_value=MAX_REPEATS, required=False)
    precision_percent = serializers.FloatField(
        min_value=MIN_WITHIN, max_value=MAX_WITHIN, required=False
    )
    max_blocks = serializers.IntegerField(
        min_value=1, max_value=MAX_BLOCKS, default=USUAL_BLOCKS, help_text="At most so many more."
    )
    max_hours = serializers.FloatField(
        min_value=0.01, max_value=MAX_HOURS, required=False, allow_null=True, default=None
    )

    factor = serializers.CharField(max_length=MAX_LETTERS, default=TUNING, help_text=FACTOR_HELP)
    cases = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        max_length=MAX_SELECTED_CASES,
        required=False,
        help_text="Cases whose tests are repeated; without it every test. Not with a precision.",
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if ("repeats" in data) == ("precision_percent" in data):
            raise serializers.ValidationError(_("Give either repeats or precision_percent."))
        return data


class ReasonSerializer(StrictSerializer):
    reason = serializers.CharField(max_length=1_000, help_text="Kept in the audit record.")


class RunNameSerializer(StrictSerializer):
    name = serializers.CharField(max_length=120, help_text="The run's name, as a confirmation.")


class ArchivedSerializer(StrictSerializer):
    archived = serializers.BooleanField(default=True)


class LaunchSerializer(StrictSerializer):
    plan = serializers.PrimaryKeyRelatedField(queryset=TestPlan.objects.all())
    note = serializers.CharField(default="", allow_blank=True)
    confirm_wipe = serializers.BooleanField(
        default=False, help_text="File systems on the plan's disks may be destroyed (disk owners)."
    )
    priority = PriorityField(default=Priority.NORMAL, help_text="high: only for admins.")
    confirm_disturbance = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=MAX_MEMBER_LENGTH,
        help_text="Name of the disturbed pool, or identity of the disk that fails.",
    )

"""/api/v1/runs/ and /api/v1/cases/: launch, watch, cancel, retry, read."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Role, User
from apps.common.api import ReadViewSet
from apps.common.downloads import download
from apps.common.errors import Refused
from apps.common.serializers import StrictModelSerializer, StrictSerializer
from apps.plans.models import TestPlan
from apps.runs import services
from apps.runs.artifacts import artifact_pieces
from apps.runs.exits import exit_of
from apps.runs.filters import CaseFilter, RunFilter
from apps.runs.frozen import is_alone
from apps.runs.giving_up import given_up_lift, given_up_of, run_give_up_on
from apps.runs.keeping import run_archive, run_delete
from apps.runs.models import Artifact, Attempt, AttemptJob, Case, Fault, GivenUp, Run
from apps.runs.presenters import hosts_of
from apps.runs.selectors import (
    cases_visible,
    contact_lost_since,
    hosts_of_imported,
    run_progress,
    runs_visible,
)


class RunSerializer(StrictModelSerializer[Run]):
    owner = serializers.SlugRelatedField("username", read_only=True)  # type: ignore[var-annotated]
    team = serializers.SlugRelatedField("name", read_only=True, allow_null=True)  # type: ignore[var-annotated]
    reason = serializers.CharField(source="reason_now", read_only=True)

    class Meta:
        model = Run
        fields = [
            "id", "name", "plan", "origin", "note", "state", "reason", "owner", "team",
            "case_count", "expected_seconds", "queued_at", "started_at", "finished_at",
            "cancel_requested_at", "archived_at",
        ]  # fmt: skip
        read_only_fields = [name for name in fields if name != "note"]


class ProgressSerializer(StrictSerializer):
    """Cases by how far they are: `done` were tried to their end (`succeeded`, `failed`, `lost`,
    `unproven`), `cancelled` were not. Times in seconds: `remaining` is null while the run waits;
    what runs now takes `late` longer than expected.
    """

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    succeeded = serializers.IntegerField()
    failed = serializers.IntegerField()
    lost = serializers.IntegerField()
    unproven = serializers.IntegerField()
    cancelled = serializers.IntegerField()
    elapsed = serializers.FloatField()
    remaining = serializers.FloatField(allow_null=True)
    late = serializers.FloatField()


class GivenUpSerializer(StrictModelSerializer[GivenUp]):
    """A test that counts as ended although its host did not answer. Until `ended_at` what it used
    there stays blocked; `proven`: the host showed that it has ended, else `ended_by` vouched."""

    host_name = serializers.CharField(source="host.name", read_only=True)
    case = serializers.IntegerField(source="attempt.case_id", read_only=True)
    given_up_by = serializers.SlugRelatedField("username", read_only=True, allow_null=True)  # type: ignore[var-annotated]
    ended_by = serializers.SlugRelatedField("username", read_only=True, allow_null=True)  # type: ignore[var-annotated]

    class Meta:
        model = GivenUp
        fields = [
            "case", "host", "host_name", "given_up_at", "given_up_by", "reason", "ended_at",
            "proven", "ended_by", "ended_reason",
        ]  # fmt: skip
        read_only_fields = fields


class RunDetailSerializer(RunSerializer):
    progress = serializers.SerializerMethodField()
    hosts = serializers.SerializerMethodField(help_text="The names of all hosts that take part.")
    given_up = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = [*RunSerializer.Meta.fields, "hosts", "plan_copy", "progress", "given_up"]
        read_only_fields = [*RunSerializer.Meta.read_only_fields, "plan_copy"]

    def get_hosts(self, run: Run) -> list[str]:
        return hosts_of_imported([run]).get(run.pk) or hosts_of(run)

    @extend_schema_field(GivenUpSerializer(many=True))
    def get_given_up(self, run: Run) -> Any:
        return GivenUpSerializer(given_up_of(run), many=True).data

    @extend_schema_field(ProgressSerializer)
    def get_progress(self, run: Run) -> dict[str, Any]:
        now = run_progress(run)
        return {
            "total": now.total, "done": now.done, "succeeded": now.succeeded, "failed": now.failed,
            "lost": now.lost, "unproven": now.unproven, "cancelled": now.cancelled,
            "elapsed": now.elapsed, "remaining": now.remaining, "late": now.late,
        }  # fmt: skip


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


class AttemptJobSerializer(StrictModelSerializer[AttemptJob]):
    """One job of an attempt on one of its hosts. `exit` is the agent's word about its end."""

    class Meta:
        model = AttemptJob
        fields = [
            "id", "host", "name", "act", "role", "state", "why", "refused", "exit",
            "clock_offset", "clock_uncertainty",
        ]  # fmt: skip
        read_only_fields = fields


class AttemptSerializer(StrictModelSerializer[Attempt]):
    contact_lost_since = serializers.SerializerMethodField()
    valid = serializers.SerializerMethodField(
        help_text="Whether its figures may be compared; null until it has ended, false where it "
        "failed (`reason`) or its figures are doubtful (`invalid_reason`)."
    )
    fault = serializers.ChoiceField(Fault.choices, allow_blank=True, read_only=True)
    artifacts = serializers.SlugRelatedField("name", many=True, read_only=True)  # type: ignore[var-annotated]
    jobs = AttemptJobSerializer(many=True, read_only=True)
    exit = serializers.SerializerMethodField(
        help_text="As before there were `jobs`, which say the same in one form: the exit of the "
        "only job; of several `codes`, `signals`, `jobs`, `starts`, `tuning` and why benchlab "
        "`stopped` them."
    )

    class Meta:
        model = Attempt
        fields = [
            "id", "number", "state", "phase", "reason", "fault", "valid", "invalid_reason",
            "warnings", "argv", "exit", "jobs", "tool_version", "contact_lost_since", "created_at",
            "started_at", "ended_at", "facts", "artifacts",
        ]  # fmt: skip
        read_only_fields = fields

    def get_exit(self, attempt: Attempt) -> dict[str, Any]:
        return exit_of(attempt)

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_valid(self, attempt: Attempt) -> bool | None:
        return attempt.valid if attempt.is_final else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_contact_lost_since(self, attempt: Attempt) -> Any:
        return contact_lost_since(attempt)


class TargetKeyField(serializers.IntegerField):
    """The key of the disk, pool ... that a case is about, in the field of its kind's name."""

    def get_attribute(self, instance: Case) -> int | None:
        of_kind = instance.target_kind == self.field_name and instance.target is not None
        return int(instance.target.pk) if of_kind else None


def target_key() -> TargetKeyField:
    return TargetKeyField(read_only=True, allow_null=True)


class MemberSerializer(StrictSerializer):
    """One part of a case's target; a result's part of the same name is its share."""

    role = serializers.ChoiceField(["client", "server"])
    host = serializers.IntegerField(source="host_id")
    host_name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # the API's word, a field here
    kind = serializers.CharField(help_text='"disk", "directory", "pool" or "pair".')
    id = serializers.IntegerField(source="row_id", allow_null=True)
    identity = serializers.CharField()
    size = serializers.IntegerField(allow_null=True)
    make = serializers.DictField(
        allow_null=True, help_text="How the pool is made; null where it is found."
    )


class CaseSerializer(StrictModelSerializer[Case]):
    workload = serializers.SlugRelatedField("key", read_only=True)  # type: ignore[var-annotated]
    label = serializers.CharField(source="workload.label", read_only=True)  # type: ignore[assignment] # the API's word, a field here
    tool = serializers.CharField(read_only=True)
    params = serializers.JSONField(read_only=True)
    host = serializers.IntegerField(source="host_id", read_only=True)
    disk, directory, pool = target_key(), target_key(), target_key()
    pair, group = target_key(), target_key()
    target = serializers.CharField(source="target_words", read_only=True)
    target_kind = serializers.CharField(
        read_only=True,
        help_text='"disk", "directory", "pool", "pair" or "group"; empty for imported results.',
    )
    hosts = serializers.ListField(
        child=serializers.IntegerField(),
        source="host_ids",
        read_only=True,
        help_text="Every host that takes part, the first one first.",
    )
    members = serializers.SerializerMethodField(
        help_text="What each host does; empty for a single disk or directory."
    )
    tuning = serializers.IntegerField(source="tuning_id", read_only=True, allow_null=True)
    tuning_name = serializers.CharField(read_only=True)
    tuning_settings = serializers.JSONField(read_only=True)
    fault = serializers.ChoiceField(Fault.choices, allow_blank=True, read_only=True)

    class Meta:
        model = Case
        fields = [
            "id", "run", "position", "block", "repeat", "workload", "label", "step_name", "tool",
            "params", "host", "disk", "directory", "pool", "pair", "group", "target",
            "target_kind", "hosts", "members", "tuning", "tuning_name", "tuning_settings",
            "expected_seconds", "state", "reason", "fault",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(MemberSerializer(many=True))
    def get_members(self, case: Case) -> Any:
        shown = () if is_alone(case.run_target) else case.members
        return MemberSerializer(shown, many=True).data


class CaseDetailSerializer(CaseSerializer):
    attempts = AttemptSerializer(many=True, read_only=True)

    class Meta(CaseSerializer.Meta):
        fields = [*CaseSerializer.Meta.fields, "attempts"]
        read_only_fields = fields


class RunViewSet(ReadViewSet[Run]):
    queryset = runs_visible()
    filterset_class = RunFilter
    action_roles = {"give_up": Role.ADMIN, "free": Role.ADMIN}  # as RolePermission reads it

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filters, and hiding what is archived, are the list's: one run can always be read."""
        return super().filter_queryset(queryset) if self.action == "list" else queryset

    def get_serializer_class(self) -> type[RunSerializer]:
        return RunDetailSerializer if self.action == "retrieve" else RunSerializer

    @extend_schema(
        request=LaunchSerializer,
        responses={201: RunDetailSerializer},
        parameters=[
            OpenApiParameter(
                "Idempotency-Key", str, OpenApiParameter.HEADER,
                description="The same key gives the same run, so a request may be repeated.",
            )
        ],
    )  # fmt: skip
    def create(self, request: Request) -> Response:
        asked = LaunchSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        plan: TestPlan = asked.validated_data["plan"]
        key = request.headers.get("Idempotency-Key")
        if key and len(key) > 80:
            raise Refused("An Idempotency-Key has at most 80 characters.", status=400)
        if key and key.startswith(services.SCHEDULE_KEYS):
            raise Refused("An Idempotency-Key of schedules cannot be used.", status=400)
        run = services.run_launch(
            plan=plan,
            user=_user(request),
            note=asked.validated_data["note"],
            confirm_wipe=asked.validated_data["confirm_wipe"],
            idempotency_key=key,
        )
        return Response(RunDetailSerializer(run).data, status=status.HTTP_201_CREATED)

    def partial_update(self, request: Request, pk: int) -> Response:
        run = self.get_object()
        asked = RunSerializer(run, data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        note = asked.validated_data.get("note", run.note)
        run = services.run_annotate(run=run, user=_user(request), note=note)
        return Response(RunSerializer(run).data)

    @extend_schema(request=RunNameSerializer, responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Delete a run with everything it measured (its owner, admins). `name` is the run's."""
        run = self.get_object()
        asked = RunNameSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run_delete(run=run, user=_user(request), **asked.validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=ArchivedSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: int) -> Response:
        """Hide the run from lists and pickers, or show it again (`archived`: false)."""
        run = self.get_object()
        asked = ArchivedSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        run_archive(run=run, user=_user(request), **asked.validated_data)
        return Response(RunDetailSerializer(self.get_object()).data)

    @extend_schema(request=None, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: int) -> Response:
        run = services.run_cancel(run=self.get_object(), user=_user(request))
        return Response(RunDetailSerializer(run).data)

    @extend_schema(request=None, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: int) -> Response:
        run = services.run_retry(run=self.get_object(), user=_user(request))
        return Response(RunDetailSerializer(run).data)

    @extend_schema(request=ReasonSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"], url_path="give-up")
    def give_up(self, request: Request, pk: int) -> Response:
        """End the tests whose hosts do not answer, unproven (admins)."""
        run = self.get_object()
        run_give_up_on(run=run, user=_user(request), reason=_reason(request))
        return Response(RunDetailSerializer(self.get_object()).data)

    @extend_schema(request=ReasonSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def free(self, request: Request, pk: int) -> Response:
        """Vouch that the given-up tests have ended: what they used is free (admins)."""
        run = self.get_object()
        given_up_lift(run=run, user=_user(request), reason=_reason(request))
        return Response(RunDetailSerializer(self.get_object()).data)


class CaseViewSet(ReadViewSet[Case]):
    queryset = cases_visible()
    filterset_class = CaseFilter

    def get_serializer_class(self) -> type[CaseSerializer]:
        return CaseDetailSerializer if self.action == "retrieve" else CaseSerializer

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    @action(
        detail=True,
        url_path="attempts/<int:number>/artifacts/<path:name>",
        url_name="artifact",
    )
    def artifact(self, request: Request, pk: int, number: int, name: str) -> StreamingHttpResponse:
        """One raw file of an attempt, byte for byte."""
        rows = Artifact.objects.select_related("blob")
        found = get_object_or_404(rows, attempt__case_id=pk, attempt__number=number, name=name)
        pieces = artifact_pieces(found)
        return download(request._request, pieces, size=found.size, name=found.name)


def _reason(request: Request) -> str:
    asked = ReasonSerializer(data=request.data)
    asked.is_valid(raise_exception=True)
    return str(asked.validated_data["reason"])


def _user(request: Request) -> User:
    assert isinstance(request.user, User)
    return request.user


router_entries = [("runs", RunViewSet), ("cases", CaseViewSet)]

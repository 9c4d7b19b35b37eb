"""API of runs and cases: launch, read, cancel, retry."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.fresh_login import require_wipe_right
from apps.accounts.models import Role
from apps.accounts.permissions import user_of
from apps.common.api.viewsets import ReadViewSet
from apps.common.errors import ServiceError
from apps.common.web.downloads import download
from apps.plans.models import TestPlan
from apps.plans.schemas.stopping import precision_limits
from apps.runs.api.approvals import ApprovalPolicyViewSet, ApprovalSerializer, DecisionSerializer
from apps.runs.api.case_serializers import CaseDetailSerializer, CaseSerializer
from apps.runs.api.queue import PrioritySerializer
from apps.runs.api.serializers import (
    ArchivedSerializer,
    LaunchSerializer,
    ReasonSerializer,
    RepeatsSerializer,
    RunDetailSerializer,
    RunNameSerializer,
    RunSerializer,
)
from apps.runs.filters import CaseFilter, RunFilter
from apps.runs.models import Artifact, Case, Run
from apps.runs.presenters.approvals import approval_values
from apps.runs.selectors.runs import (
    cases_visible,
    runs_visible,
)
from apps.runs.services import runs as services
from apps.runs.services.abandonment import abandoned_release, run_abandon
from apps.runs.services.annotations import run_annotate
from apps.runs.services.approvals import approval_decide
from apps.runs.services.archive import run_archive, run_delete
from apps.runs.services.artifacts import artifact_pieces
from apps.runs.services.extension import repeats_add
from apps.runs.services.priorities import run_prioritise


class RunViewSet(ReadViewSet[Run]):
    queryset = runs_visible()
    is_archive = True
    filterset_class = RunFilter
    # As RolePermission reads it; the service of approvals checks the role and audits attempts.
    action_roles = {"abandon": Role.ADMIN, "release": Role.ADMIN, "approval": Role.VIEWER}
    role_only_actions = ("approval",)
    fresh_actions = ("abandon", "release", "approval", "destroy")

    def get_queryset(self) -> QuerySet[Any]:
        rows = super().get_queryset()
        return rows.defer("spec") if self.action == "list" else rows

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the filtered list; a single run is found regardless of filters."""
        return super().filter_queryset(queryset) if self.action == "list" else queryset

    def get_serializer_class(self) -> type[RunSerializer]:
        return RunDetailSerializer if self.action == "retrieve" else RunSerializer

    @extend_schema(
        request=LaunchSerializer,
        responses={201: RunDetailSerializer},
        parameters=[
            OpenApiParameter(
                "Idempotency-Key", str, OpenApiParameter.HEADER,
                description="The same key of a user gives the same run; a request may be repeated.",
            )
        ],
    )  # fmt: skip
    def create(self, request: Request) -> Response:
        serializer = LaunchSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        plan: TestPlan = serializer.validated_data["plan"]
        disturbance = serializer.validated_data["confirm_disturbance"]
        if serializer.validated_data["confirm_wipe"] or disturbance:
            require_wipe_right(request)
        key = request.headers.get("Idempotency-Key")
        if key and len(key) > 80:
            raise ServiceError("An Idempotency-Key has at most 80 characters.", status=400)
        if key and key.startswith(services.SCHEDULE_KEYS):
            raise ServiceError("An Idempotency-Key of schedules cannot be used.", status=400)
        run = services.run_launch(
            plan=plan,
            user=user_of(request),
            note=serializer.validated_data["note"],
            confirm_wipe=serializer.validated_data["confirm_wipe"],
            idempotency_key=key,
            priority=serializer.validated_data["priority"],
            confirm_disturbance=disturbance,
        )
        return Response(RunDetailSerializer(run).data, status=status.HTTP_201_CREATED)

    def partial_update(self, request: Request, pk: int) -> Response:
        run = self.get_object()
        serializer = RunSerializer(run, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        note = serializer.validated_data.get("note", run.note)
        tags = serializer.validated_data.get("tags", run.tags)
        run = run_annotate(run=run, user=user_of(request), note=note, tags=tags)
        return Response(RunSerializer(run).data)

    @extend_schema(request=RunNameSerializer, responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Delete a run with all results (owner, admins). `name` confirms the run's name.

        It needs a fresh login or a token that may wipe.
        """
        run = self.get_object()
        serializer = RunNameSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        run_delete(run=run, user=user_of(request), **serializer.validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=ArchivedSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: int) -> Response:
        """Hide the run from lists and pickers, or show it again (`archived`: false)."""
        run = self.get_object()
        serializer = ArchivedSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        run_archive(run=run, user=user_of(request), **serializer.validated_data)
        return Response(RunDetailSerializer(self.get_object()).data)

    @extend_schema(request=None, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: int) -> Response:
        run = services.run_cancel(run=self.get_object(), user=user_of(request))
        return Response(RunDetailSerializer(run).data)

    @extend_schema(request=PrioritySerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def priority(self, request: Request, pk: int) -> Response:
        """Set the priority of a run that has not ended."""
        run = self.get_object()
        serializer = PrioritySerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        user = user_of(request)
        run = run_prioritise(run=run, user=user, **serializer.validated_data)
        return Response(RunDetailSerializer(run).data)

    @extend_schema(request=None, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: int) -> Response:
        """Queue the cases without success again; a disturbance needs the right to wipe."""
        run = self.get_object()
        _require_right_to_disturb(request, run)
        run = services.run_retry(run=run, user=user_of(request))
        return Response(RunDetailSerializer(run).data)

    @extend_schema(request=RepeatsSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"], url_path="add-repeats")
    def add_repeats(self, request: Request, pk: int) -> Response:
        """Queue more repeats of the tests of an ended run, in new blocks of the same run.

        A disturbance needs the right to wipe.
        """
        run = self.get_object()
        _require_right_to_disturb(request, run)
        serializer = RepeatsSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        until = precision_limits(
            data.get("precision_percent"),
            data["max_blocks"],
            data["max_hours"],
            data["factor"],
        )
        repeats = data.get("repeats", 0)
        run = repeats_add(
            run=run, user=user_of(request), repeats=repeats, until=until, of=data.get("cases", ())
        )
        return Response(RunDetailSerializer(run).data)

    @extend_schema(methods=["GET"], responses=ApprovalSerializer)
    @extend_schema(methods=["POST"], request=DecisionSerializer, responses=ApprovalSerializer)
    @action(detail=True, methods=["get", "post"])
    def approval(self, request: Request, pk: int) -> Response:
        """Read the effects that need an approval; approve or refuse those with a digest."""
        run = self.get_object()
        if request.method == "POST":
            serializer = DecisionSerializer(data=request.data)
            serializer.is_valid(raise_exception=True)
            approval_decide(run=run, user=user_of(request), **serializer.validated_data)
            run = self.get_object()
        return Response(ApprovalSerializer(approval_values(run)).data)

    @extend_schema(request=ReasonSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def abandon(self, request: Request, pk: int) -> Response:
        """Abandon attempts on unresponsive hosts and endless parsing (admins)."""
        run = self.get_object()
        run_abandon(run=run, user=user_of(request), reason=_reason(request))
        return Response(RunDetailSerializer(self.get_object()).data)

    @extend_schema(request=ReasonSerializer, responses=RunDetailSerializer)
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: int) -> Response:
        """Release the resources of abandoned attempts (admins)."""
        run = self.get_object()
        abandoned_release(run=run, user=user_of(request), reason=_reason(request))
        return Response(RunDetailSerializer(self.get_object()).data)


class CaseViewSet(ReadViewSet[Case]):
    queryset = cases_visible()
    is_archive = True
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
        """Return a raw file of an attempt, byte for byte."""
        rows = Artifact.objects.select_related("blob")
        result = get_object_or_404(rows, attempt__case_id=pk, attempt__number=number, name=name)
        pieces = artifact_pieces(result)
        return download(pieces, size=result.size, name=result.name)


def _require_right_to_disturb(request: Request, run: Run) -> None:
    """Require for another start of a disturbance what its launch requires."""
    if run.spec.disturbance:
        require_wipe_right(request)


def _reason(request: Request) -> str:
    serializer = ReasonSerializer(data=request.data)
    serializer.is_valid(raise_exception=True)
    return str(serializer.validated_data["reason"])


router_entries = [
    ("runs", RunViewSet),
    ("cases", CaseViewSet),
    ("approval-policies", ApprovalPolicyViewSet),
]

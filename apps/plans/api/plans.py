"""/api/v1/plans/."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Role
from apps.accounts.permissions import user_of
from apps.common.api.serializers import ArchiveSerializer
from apps.common.api.viewsets import WriteViewSet
from apps.common.database.read_only import read_only_transaction
from apps.plans.api.pasting import PastedSerializer, TextSerializer
from apps.plans.api.preview import PreviewSerializer
from apps.plans.api.serializers import (
    PlanCloneSerializer,
    PlanSerializer,
    TemplateSerializer,
    draft_values,
)
from apps.plans.filters import PlanFilter
from apps.plans.models import PlanTarget, TestPlan
from apps.plans.schemas.plan import PLAN_SPEC
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import (
    draft_preview,
    plan_draft,
    plan_preview,
    plans_visible,
)
from apps.plans.selectors.target_kinds import KINDS
from apps.plans.selectors.templates import template_draft, templates
from apps.plans.services.plans import (
    plan_archive,
    plan_clone,
    plan_create,
    plan_delete,
    plan_update,
)
from apps.tools.step_import.commands import read_commands

TARGETS = Prefetch(
    "targets",
    PlanTarget.objects.select_related(*(f"target__{kind}" for kind in KINDS)),
)


class PlanViewSet(WriteViewSet[TestPlan]):
    """Test plans: steps, targets, tuning profiles, repeats."""

    queryset = plans_visible().prefetch_related(TARGETS, "tunings")
    serializer_class = PlanSerializer
    filterset_class = PlanFilter
    role_only_actions = ("clone", "from_text")
    action_roles = {"check": Role.VIEWER}
    dry_actions = ("check",)

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter the list only, so that an archived plan can be read by its id."""
        return super().filter_queryset(queryset) if self.action == "list" else queryset

    def perform_create(self, serializer: BaseSerializer[TestPlan]) -> None:
        draft = PlanDraft(**draft_values(serializer.validated_data, PLAN_SPEC.kind()))
        made = plan_create(user=user_of(self.request), draft=draft)
        serializer.instance = self.get_queryset().get(pk=made.pk)

    def perform_update(self, serializer: BaseSerializer[TestPlan]) -> None:
        plan = serializer.instance
        assert plan is not None  # an update has a row
        values = draft_values(serializer.validated_data, plan.spec)
        draft = replace(plan_draft(plan), **values)
        if "baseline" not in values:
            draft = draft.with_known_baseline()
        plan_update(plan=plan, user=user_of(self.request), draft=draft)
        serializer.instance = self.get_queryset().get(pk=plan.pk)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: Any = None) -> Response:
        """Delete a plan that was never launched."""
        plan_delete(plan=self.get_object(), user=user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={200: PreviewSerializer})
    @action(detail=True)
    def preview(self, request: Request, pk: Any = None) -> Response:
        """Return every case of a launch, the expected time and bytes, and all problems."""
        return Response(PreviewSerializer(plan_preview(self.get_object())).data)

    @extend_schema(request=PlanSerializer, responses={200: PreviewSerializer})
    @action(detail=False, methods=["post"])
    def check(self, request: Request) -> Response:
        """Return the preview of a draft. Nothing is stored, and a read-only token may call it."""
        serializer = self.get_serializer(data=request.data)
        with read_only_transaction():
            serializer.is_valid(raise_exception=True)
            draft = PlanDraft(**draft_values(serializer.validated_data, PLAN_SPEC.kind()))
            return Response(PreviewSerializer(draft_preview(draft)).data)

    @extend_schema(request=PlanCloneSerializer, responses={201: PlanSerializer})
    @action(detail=True, methods=["post"])
    def clone(self, request: Request, pk: Any = None) -> Response:
        """Create a copy of this plan, owned by you."""
        serializer = PlanCloneSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        copy = plan_clone(
            plan=self.get_object(), user=user_of(request), name=serializer.validated_data["name"]
        )
        shown = self.get_serializer(self.get_queryset().get(pk=copy.pk))
        return Response(shown.data, status=status.HTTP_201_CREATED)

    @extend_schema(request=ArchiveSerializer, responses={200: PlanSerializer})
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: Any = None) -> Response:
        """Archive this plan, or restore it."""
        serializer = ArchiveSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        archived = serializer.validated_data["archived"]
        plan = plan_archive(plan=self.get_object(), user=user_of(request), archived=archived)
        return Response(self.get_serializer(plan).data)

    @extend_schema(request=TextSerializer, responses={200: PastedSerializer})
    @action(detail=False, methods=["post"], url_path="from-text")
    def from_text(self, request: Request) -> Response:
        """Convert commands, a script or a job file into steps, with a note for each unused part.

        Nothing is saved, and no shell is run.
        """
        serializer = TextSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        result = read_commands(serializer.validated_data["text"], serializer.validated_data["tool"])
        return Response(PastedSerializer(result).data)

    @extend_schema(responses={200: TemplateSerializer(many=True)}, filters=False)
    @action(detail=False, pagination_class=None)
    def templates(self, request: Request) -> Response:
        """List the built-in plans; add targets and post them."""
        rows = [{"template": key, "draft": template_draft(key)} for key, *_ in templates()]
        return Response(TemplateSerializer(rows, many=True).data)


router_entries = (("plans", PlanViewSet),)

"""/api/v1/acceptances/."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.acceptance.filters import AcceptanceFilter
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.presenters import fault_text, finding_rows, lot_csv, outcome_text
from apps.acceptance.schemas import FULL, SAMPLE, AcceptanceProfile
from apps.acceptance.selectors.acceptances import (
    acceptance_cost,
    acceptances_with_disks,
    accepted_disks,
)
from apps.acceptance.selectors.serials import MAX_LIST_LENGTH, disks_of_list
from apps.acceptance.services.acceptances import (
    AcceptanceDraft,
    acceptance_cancel,
    acceptance_decide,
    acceptance_delete,
    acceptance_start,
)
from apps.accounts.models import Role, Team
from apps.accounts.permissions import user_of
from apps.common.api.key_lists import RowField
from apps.common.api.serializers import StrictModelSerializer, StrictSerializer
from apps.common.api.viewsets import ReadViewSet
from apps.inventory.models import Disk, Host

USUAL = AcceptanceProfile()


class AcceptanceProfileSerializer(StrictSerializer):
    """What is done to each disk, and its limits. Percents are distances below a figure."""

    coverage = serializers.ChoiceField(choices=[FULL, SAMPLE], default=USUAL.coverage)
    discard = serializers.BooleanField(default=USUAL.discard)
    repeats = serializers.IntegerField(default=USUAL.repeats, min_value=1, max_value=20)
    seconds = serializers.IntegerField(default=USUAL.seconds, min_value=1, max_value=3600)
    outlier_percent = serializers.FloatField(
        default=USUAL.outlier_percent, min_value=1, max_value=95
    )
    model_percent = serializers.FloatField(default=USUAL.model_percent, min_value=0, max_value=95)
    max_degrees = serializers.IntegerField(default=USUAL.max_degrees, min_value=20, max_value=120)
    max_hours = serializers.IntegerField(default=USUAL.max_hours, min_value=0, max_value=100_000)
    full_link = serializers.BooleanField(default=USUAL.full_link)


class FindingSerializer(serializers.Serializer[Any]):
    """Result of one rule, as text in the caller's language."""

    rule = serializers.CharField()
    outcome = serializers.ChoiceField(choices=["passed", "failed", "unknown"])
    value = serializers.CharField()
    limit = serializers.CharField()
    detail = serializers.CharField()


class AcceptedDiskSerializer(StrictModelSerializer[AcceptedDisk]):
    """A disk of an acceptance with its findings. `set_number`: of those measured together."""

    reason = serializers.SerializerMethodField()
    findings = serializers.SerializerMethodField()

    class Meta:
        model = AcceptedDisk
        fields: ClassVar[list[str]] = [
            *("disk", "label", "set_number", "verdict", "reason", "findings"),
        ]
        read_only_fields: ClassVar[list[str]] = fields

    def get_reason(self, row: AcceptedDisk) -> str:
        return fault_text(row)

    @extend_schema(responses=FindingSerializer(many=True))
    def get_findings(self, row: AcceptedDisk) -> list[dict[str, str]]:
        return [dict(FindingSerializer(one).data) for one in finding_rows(row.findings)]


class AcceptanceSerializer(StrictModelSerializer[Acceptance]):
    """Acceptance of new drives. `summary`: the message that its owner gets at the end."""

    owner = serializers.CharField(source="owner.username", read_only=True)
    profile = serializers.SerializerMethodField()
    summary = serializers.SerializerMethodField()
    disks = AcceptedDiskSerializer(many=True, read_only=True)

    class Meta:
        model = Acceptance
        fields: ClassVar[list[str]] = [
            *("id", "name", "state", "reason", "profile", "fill_run", "measure_run", "summary"),
            *("disks", "owner", "team", "created_at", "ended_at"),
        ]
        read_only_fields: ClassVar[list[str]] = fields

    def get_profile(self, row: Acceptance) -> dict[str, Any]:
        return dict(AcceptanceProfileSerializer(row.profile).data)

    def get_summary(self, row: Acceptance) -> str:
        return outcome_text(row, list(row.disks.all()))


class AcceptanceStartSerializer(StrictSerializer):
    """Disks by id, or by a pasted list of serials (with `hosts` only of these)."""

    name = serializers.CharField(max_length=60)
    disks = RowField(
        queryset=Disk.objects.select_related("host", "model"), many=True, required=False
    )
    serials = serializers.CharField(required=False, allow_blank=True, max_length=MAX_LIST_LENGTH)
    hosts = RowField(queryset=Host.objects.all(), many=True, required=False)
    profile = AcceptanceProfileSerializer(required=False)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )
    confirm_wipe = serializers.BooleanField(
        default=False, help_text="File systems on the disks may be destroyed."
    )

    def draft(self) -> AcceptanceDraft:
        """Return the draft. Raises: ServiceError for a list with faults."""
        data = self.validated_data
        disks = list(data.get("disks") or ())
        if data.get("serials", "").strip():
            disks += disks_of_list(data["serials"], data.get("hosts") or [])
        return AcceptanceDraft(
            name=data["name"],
            disks=list({disk.pk: disk for disk in disks}.values()),
            profile=AcceptanceProfile(**data.get("profile", {})),
            team=data.get("team"),
            confirm_wipe=data["confirm_wipe"],
        )


class AcceptanceCostSerializer(serializers.Serializer[Any]):
    """What an acceptance costs at least; `drive_writes` of the disk that is written most.

    `is_assumed`: the catalogue has no write rate of a disk, so a usual one is taken.
    """

    hours = serializers.FloatField()
    fill_hours = serializers.FloatField()
    measure_hours = serializers.FloatField()
    waves = serializers.IntegerField()
    drive_writes = serializers.FloatField()
    bytes_written = serializers.FloatField()
    is_assumed = serializers.BooleanField()


class AcceptanceViewSet(ReadViewSet[Acceptance]):
    """Acceptances of new drives. To start one needs a token that may wipe."""

    queryset = acceptances_with_disks()
    serializer_class = AcceptanceSerializer
    filterset_class = AcceptanceFilter
    write_role = Role.OPERATOR
    action_roles: ClassVar[dict[str, Role]] = {"create": Role.DISK_OWNER}
    fresh_actions = ("create", "destroy")

    @extend_schema(request=AcceptanceStartSerializer, responses={201: AcceptanceSerializer})
    def create(self, request: Request) -> Response:
        """Start an acceptance. It destroys what is on the disks."""
        serializer = AcceptanceStartSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        row = acceptance_start(user=user_of(request), draft=serializer.draft())
        return Response(self._data(row), status=status.HTTP_201_CREATED)

    @extend_schema(request=AcceptanceStartSerializer, responses=AcceptanceCostSerializer)
    @action(detail=False, methods=["post"])
    def cost(self, request: Request) -> Response:
        """Return hours and drive writes of such an acceptance; nothing is started."""
        serializer = AcceptanceStartSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        draft = serializer.draft()
        return Response(AcceptanceCostSerializer(acceptance_cost(draft.disks, draft.profile)).data)

    @extend_schema(request=None, responses=AcceptanceSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: int) -> Response:
        """Cancel an acceptance and its run."""
        row = acceptance_cancel(acceptance=self.get_object(), user=user_of(request))
        return Response(self._data(row))

    @extend_schema(request=None, responses=AcceptanceSerializer)
    @action(detail=True, methods=["post"])
    def decide(self, request: Request, pk: int) -> Response:
        """Apply the rules again, after failed cases were retried."""
        row = acceptance_decide(acceptance=self.get_object(), user=user_of(request))
        return Response(self._data(row))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Delete an acceptance that has ended; its runs stay.

        It needs a fresh login or a token that may wipe.
        """
        acceptance_delete(acceptance=self.get_object(), user=user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=True, methods=["get"])
    def lot(self, request: Request, pk: int) -> HttpResponse:
        """Return the lot as CSV, a line for each disk."""
        rows = accepted_disks(self.get_object())
        return HttpResponse(lot_csv(rows), content_type="text/csv; charset=utf-8")

    def _data(self, row: Acceptance) -> Any:
        return AcceptanceSerializer(acceptances_with_disks().get(pk=row.pk)).data


router_entries: list[tuple[str, Any]] = [("acceptances", AcceptanceViewSet)]

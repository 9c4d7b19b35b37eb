"""REST API of tuning profiles."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Team
from apps.accounts.permissions import user_of
from apps.common.api.serializers import (
    ArchiveSerializer,
    ExtraKeywords,
    StrictModelSerializer,
    StrictSerializer,
    TextOrNumberField,
    Validated,
)
from apps.common.api.viewsets import WriteViewSet
from apps.inventory.models import Host
from apps.tuning.domain.ceph_conf_parser import MAX_CHARACTERS, by_restart, parse_ceph
from apps.tuning.domain.custom_settings import MAX_VALUE_LENGTH
from apps.tuning.domain.settings import describe
from apps.tuning.filters import TuningFilter
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import KINDS, QUEUE, SCOPES, Setting
from apps.tuning.selectors import restart_options, tunings_visible
from apps.tuning.services import (
    TuningDraft,
    tuning_archive,
    tuning_clone,
    tuning_create,
    tuning_fit_to_cluster,
    tuning_update,
)


class SettingSerializer(StrictSerializer):
    """One setting.

    Kinds "queue", "cpu", "governor" and "filesystem" are typed, see `settings` in the guide. For
    "sysctl" and "ceph" (with its `section`) the name is that of the kernel or of Ceph; "ceph_conf"
    are options of a pool's OSDs that need a restart; "irq" selects interrupts ("irq:eth0*",
    "irq:disks") and their CPUs ("0-3", "spread").
    """

    kind = serializers.ChoiceField(choices=KINDS, default=QUEUE)
    section = serializers.CharField(max_length=64, required=False)
    scope = serializers.ChoiceField(
        choices=SCOPES,
        required=False,
        help_text="Empty: the disks under test, and every host of the test. clients: the hosts "
        "that send load; servers: the servers of host pairs; pool: OSD hosts and disks of a pool.",
    )
    name = serializers.CharField(max_length=80)
    value = TextOrNumberField(max_length=MAX_VALUE_LENGTH, help_text="A name, number or text.")

    def to_representation(self, instance: Setting) -> dict[str, str]:
        section = {"section": instance.section} if instance.section else {}
        fields = {"kind": instance.kind, "name": instance.name, "value": str(instance.value)}
        return fields | section | ({"scope": instance.scope} if instance.scope else {})


class TuningSerializer(StrictModelSerializer[TuningProfile]):
    settings = SettingSerializer(many=True, required=False)
    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )
    text = serializers.SerializerMethodField(help_text="The settings in a line.")

    class Meta:
        model = TuningProfile
        fields: ClassVar[list[str]] = [
            *("id", "name", "description", "settings", "text", "settle_seconds", "owner", "team"),
            *("archived_at", "created_at", "updated_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["archived_at"]
        # The service checks uniqueness; the default validator would repeat the query.
        extra_kwargs: ClassVar[ExtraKeywords] = {"name": {"validators": []}}

    @extend_schema_field(serializers.CharField())
    def get_text(self, tuning: TuningProfile) -> str:
        return describe(tuning.settings)


class TuningCloneSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class TuningFitSerializer(StrictSerializer):
    """A client host of the cluster, and the name of the copy."""

    host = serializers.PrimaryKeyRelatedField(queryset=Host.objects.exclude(cluster=None))
    name = serializers.CharField(max_length=80, required=False, default="")


class CephConfSerializer(StrictSerializer):
    """A ceph.conf that is converted to a profile."""

    name = serializers.CharField(max_length=80)
    text = serializers.CharField(max_length=MAX_CHARACTERS)


class CephConfAnswerSerializer(StrictSerializer):
    tuning = TuningSerializer()
    left_out = serializers.ListField(child=serializers.CharField())


class TuningViewSet(WriteViewSet[TuningProfile]):
    """Named settings that are applied to a host for a measurement and restored after it."""

    queryset = tunings_visible()
    serializer_class = TuningSerializer
    filterset_class = TuningFilter
    role_only_actions = ("clone", "fit")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Apply filters and hide archived profiles in the list only; one row is always readable."""
        return super().filter_queryset(queryset) if self.action == "list" else queryset

    def perform_create(self, serializer: BaseSerializer[TuningProfile]) -> None:
        draft = TuningDraft(**_plain(serializer.validated_data))
        serializer.instance = tuning_create(user=user_of(self.request), draft=draft)

    def perform_update(self, serializer: BaseSerializer[TuningProfile]) -> None:
        tuning = serializer.instance
        assert tuning is not None  # set by the view for an update
        names = ("name", "description", "settings", "settle_seconds", "team")
        values = {name: getattr(tuning, name) for name in names}
        draft = TuningDraft(**values | _plain(serializer.validated_data))
        serializer.instance = tuning_update(tuning=tuning, user=user_of(self.request), draft=draft)

    @extend_schema(request=TuningCloneSerializer, responses={201: TuningSerializer})
    @action(detail=True, methods=["post"])
    def clone(self, request: Request, pk: Any = None) -> Response:
        """Create a copy of this profile that the user owns."""
        serializer = TuningCloneSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        copy = tuning_clone(
            tuning=self.get_object(), user=user_of(request),
            name=serializer.validated_data["name"],
        )  # fmt: skip
        return Response(self.get_serializer(copy).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=TuningFitSerializer, responses={201: TuningSerializer})
    @action(detail=True, methods=["post"])
    def fit(self, request: Request, pk: Any = None) -> Response:
        """Create a copy with the options that a host's Ceph cluster has."""
        serializer = TuningFitSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        copy = tuning_fit_to_cluster(
            tuning=self.get_object(),
            cluster=serializer.validated_data["host"].cluster,
            user=user_of(request),
            name=serializer.validated_data["name"],
        )
        return Response(self.get_serializer(copy).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=CephConfSerializer, responses={201: CephConfAnswerSerializer})
    @action(detail=False, methods=["post"], url_path="ceph-conf", url_name="ceph-conf")
    def ceph_conf(self, request: Request) -> Response:
        """Create a profile from the options in a ceph.conf; `left_out` explains the other lines."""
        serializer = CephConfSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        parsed = parse_ceph(serializer.validated_data["text"])
        now, later = by_restart(parsed.settings, restart_options())
        draft = TuningDraft(serializer.validated_data["name"], settings=(*now, *later))
        tuning = tuning_create(user=user_of(request), draft=draft)
        response = {"tuning": self.get_serializer(tuning).data, "left_out": list(parsed.problems)}
        return Response(response, status=status.HTTP_201_CREATED)

    @extend_schema(request=ArchiveSerializer, responses={200: TuningSerializer})
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: Any = None) -> Response:
        """Archive this profile, or restore it."""
        serializer = ArchiveSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        tuning = tuning_archive(
            tuning=self.get_object(), user=user_of(request),
            archived=serializer.validated_data["archived"],
        )  # fmt: skip
        return Response(self.get_serializer(tuning).data)


def _plain(data: Validated) -> Validated:
    """Return validated data with settings as plain rows."""
    plain = dict(data)
    if "settings" in plain:
        plain["settings"] = [dict(row) for row in plain["settings"]]
    return plain


router_entries = (("tunings", TuningViewSet),)

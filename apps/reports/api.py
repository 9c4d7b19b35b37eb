"""Reports for scripts: texts and answers in an order, as data, as files, by links."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, mixins, serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.accounts.models import Team
from apps.accounts.permissions import user_of
from apps.analysis.presenters.serializers import AnalysisResultSerializer
from apps.analysis.report.document import DOCUMENT_MAKERS, make_document
from apps.common.api.serializers import StrictModelSerializer, StrictSerializer, Validated
from apps.common.api.viewsets import FormatIsOurs, WriteViewSet
from apps.common.web.downloads import attached
from apps.common.web.request import own_address
from apps.reports.filters import ReportFilter
from apps.reports.models import ReportSection, ReportShare, SavedReport
from apps.reports.selectors.reports import rendered, reports_visible
from apps.reports.services import (
    MOST_DAYS,
    ReportDraft,
    SectionDraft,
    draft_of,
    report_copy,
    report_create,
    report_delete,
    report_freeze,
    report_update,
    share_create,
    share_revoke,
)

FORMATS = ("json", *DOCUMENT_MAKERS)
MEDIA_TYPES = tuple(kind.partition(";")[0] for kind, _make in DOCUMENT_MAKERS.values())


class ReportSectionSerializer(StrictModelSerializer[ReportSection]):
    """A text, or the answer to a question of /api/v1/analysis/<view>/."""

    class Meta:
        model = ReportSection
        fields: ClassVar[list[str]] = ["title", "text", "view", "query"]


class ReportSerializer(StrictModelSerializer[SavedReport]):
    """Sections are written as a whole, in their order."""

    sections = ReportSectionSerializer(many=True, required=False)
    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = SavedReport
        fields: ClassVar[list[str]] = [
            *("id", "title", "text", "home", "sections", "owner", "team"),
            *("frozen_at", "created_at", "updated_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["frozen_at"]


class DocumentSectionSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    text = serializers.CharField()
    refused = serializers.CharField(help_text="Why the section has no result.")
    result = AnalysisResultSerializer(allow_null=True)


class ReportDocumentSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    text = serializers.CharField()
    sections = DocumentSectionSerializer(many=True)


class ShareSerializer(StrictModelSerializer[ReportShare]):
    made_by = serializers.CharField(source="made_by.username", read_only=True)
    is_open = serializers.BooleanField(read_only=True)

    class Meta:
        model = ReportShare
        fields: ClassVar[list[str]] = [
            *("id", "made_by", "made_at", "expires_at", "is_open", "opened", "opened_at"),
        ]
        read_only_fields: ClassVar[list[str]] = fields


class NewShareSerializer(StrictSerializer):
    days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS, default=14)


class ShareMadeSerializer(StrictSerializer):
    address = serializers.CharField(help_text="Said this once and kept nowhere.")
    share = ShareSerializer()


class ReportViewSet(mixins.DestroyModelMixin, WriteViewSet[SavedReport]):
    """Answers and texts in an order, live or frozen."""

    queryset = reports_visible().prefetch_related("sections")
    serializer_class = ReportSerializer
    filterset_class = ReportFilter
    role_only_actions = ("copy",)

    def perform_create(self, serializer: BaseSerializer[SavedReport]) -> None:
        draft = ReportDraft(**_plain(serializer.validated_data))
        serializer.instance = report_create(user=user_of(self.request), draft=draft)

    def perform_update(self, serializer: BaseSerializer[SavedReport]) -> None:
        report = serializer.instance
        assert report is not None  # an update has a row
        draft = replace(draft_of(report), **_plain(serializer.validated_data))
        serializer.instance = report_update(report=report, user=user_of(self.request), draft=draft)

    def perform_destroy(self, instance: SavedReport) -> None:
        report_delete(report=instance, user=user_of(self.request))

    @extend_schema(request=None, responses={200: ReportSerializer})
    @action(detail=True, methods=["post"])
    def freeze(self, request: Request, pk: Any = None) -> Response:
        """Keep today's answers for good."""
        report = report_freeze(report=self.get_object(), user=user_of(request))
        return Response(self.get_serializer(report).data)

    @extend_schema(request=None, responses={201: ReportSerializer})
    @action(detail=True, methods=["post"])
    def copy(self, request: Request, pk: Any = None) -> Response:
        """A live copy of this report that belongs to you."""
        made_one = report_copy(report=self.get_object(), user=user_of(request))
        return Response(self.get_serializer(made_one).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        parameters=[OpenApiParameter("format", str, enum=FORMATS, description="Default: json.")],
        responses={
            (200, "application/json"): ReportDocumentSerializer,
            **{(200, kind): OpenApiTypes.BINARY for kind in MEDIA_TYPES},
        },
    )
    @action(detail=True, methods=["get"], content_negotiation_class=FormatIsOurs)
    def document(self, request: Request, pk: Any = None) -> HttpResponseBase:
        """The report with its answers."""
        asked = request._request.GET
        unknown = set(asked) - {"format", "paper"}
        if unknown:
            words = [_("There is no such filter.")]
            raise exceptions.ValidationError(dict.fromkeys(sorted(unknown), words))
        content = rendered(self.get_object())
        wanted = asked.get("format", "json")
        if wanted != "json":
            found = make_document(content, wanted, asked.get("paper", "A4"))
            return attached(found.data, found.name, found.media_type)
        document = {"title": content.title, "text": content.text, "sections": content.parts}
        return Response(ReportDocumentSerializer(document).data)

    @extend_schema(
        methods=["get"], responses={200: ShareSerializer(many=True)}, operation_id="reports_shares"
    )
    @extend_schema(
        methods=["post"], request=NewShareSerializer, responses={201: ShareMadeSerializer},
        operation_id="reports_share",
    )  # fmt: skip
    @action(detail=True, methods=["get", "post"], pagination_class=None, filterset_class=None)
    def shares(self, request: Request, pk: Any = None) -> Response:
        """Links that show this report without a login: those there are, or one more."""
        report = self.get_object()
        if request.method != "POST":
            return Response(ShareSerializer(report.shares.all(), many=True).data)
        asked = NewShareSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        share, token = share_create(report=report, user=user_of(request), **asked.validated_data)
        address = request.build_absolute_uri(reverse("shared", args=[token]))
        answer = {"address": own_address(request, address), "share": ShareSerializer(share).data}
        return Response(answer, status=status.HTTP_201_CREATED)

    @extend_schema(request=None, responses={200: ShareSerializer})
    @action(detail=True, methods=["post"], url_path="shares/<int:share>/end", url_name="share-end")
    def end_share(self, request: Request, pk: Any = None, share: int = 0) -> Response:
        """End a link at once."""
        row = self.get_object().shares.filter(pk=share).select_related("report").first()
        if row is None:
            raise exceptions.NotFound
        return Response(ShareSerializer(share_revoke(share=row, user=user_of(request))).data)


def _plain(data: Validated) -> Validated:
    """Validated data with sections as drafts."""
    plain = dict(data)
    if "sections" in plain:
        plain["sections"] = tuple(SectionDraft(**row) for row in plain["sections"])
    return plain


router_entries = (("reports", ReportViewSet),)

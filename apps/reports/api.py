"""REST API of reports: sections, documents and share links."""

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
from apps.reports.models import ReportSection, SavedReport, ShareLink
from apps.reports.selectors.reports import rendered, reports_visible
from apps.reports.services import (
    MAX_LINK_DAYS,
    ReportDraft,
    SectionDraft,
    draft_of,
    report_copy,
    report_create,
    report_delete,
    report_freeze,
    report_update,
    share_link_create,
    share_link_revoke,
)

FORMATS = ("json", *DOCUMENT_MAKERS)
MEDIA_TYPES = tuple(kind.partition(";")[0] for kind, _make in DOCUMENT_MAKERS.values())


class ReportSectionSerializer(StrictModelSerializer[ReportSection]):
    """A Markdown text, or a view and query of /api/v1/analysis/<view>/."""

    view = serializers.CharField(max_length=20, allow_blank=True, required=False)
    query = serializers.CharField(allow_blank=True, required=False)

    class Meta:
        model = ReportSection
        fields: ClassVar[list[str]] = ["title", "text", "view", "query"]


class ReportSerializer(StrictModelSerializer[SavedReport]):
    """A report with its ordered sections, which a PATCH replaces as a whole."""

    sections = ReportSectionSerializer(many=True, required=False)
    owner = serializers.CharField(source="owner.username", read_only=True)
    team = serializers.PrimaryKeyRelatedField(
        queryset=Team.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = SavedReport
        fields: ClassVar[list[str]] = [
            *("id", "title", "text", "dashboard_scope", "sections", "owner", "team"),
            *("frozen_at", "created_at", "updated_at"),
        ]
        read_only_fields: ClassVar[list[str]] = ["frozen_at"]


class DocumentSectionSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    text = serializers.CharField()
    error = serializers.CharField(help_text="Why the section has no result.")
    result = AnalysisResultSerializer(allow_null=True)


class ReportDocumentSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    text = serializers.CharField()
    sections = DocumentSectionSerializer(many=True)


class ShareLinkSerializer(StrictModelSerializer[ShareLink]):
    created_by = serializers.CharField(source="created_by.username", read_only=True)
    is_open = serializers.BooleanField(read_only=True)

    class Meta:
        model = ShareLink
        fields: ClassVar[list[str]] = [
            *(
                "id",
                "created_by",
                "created_at",
                "expires_at",
                "is_open",
                "view_count",
                "last_viewed_at",
            ),
        ]
        read_only_fields: ClassVar[list[str]] = fields


class ShareLinkInputSerializer(StrictSerializer):
    days = serializers.IntegerField(min_value=1, max_value=MAX_LINK_DAYS, default=14)


class CreatedShareLinkSerializer(StrictSerializer):
    address = serializers.CharField(help_text="Returned once; only its SHA-256 is stored.")
    share = ShareLinkSerializer()


class ReportViewSet(mixins.DestroyModelMixin, WriteViewSet[SavedReport]):
    """Ordered results and texts, live or frozen."""

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
        """Store the present results in the report, permanently."""
        report = report_freeze(report=self.get_object(), user=user_of(request))
        return Response(self.get_serializer(report).data)

    @extend_schema(request=None, responses={201: ReportSerializer})
    @action(detail=True, methods=["post"])
    def copy(self, request: Request, pk: Any = None) -> Response:
        """Create a live copy of this report, owned by you."""
        copied = report_copy(report=self.get_object(), user=user_of(request))
        return Response(self.get_serializer(copied).data, status=status.HTTP_201_CREATED)

    @extend_schema(
        parameters=[OpenApiParameter("format", str, enum=FORMATS, description="Default: json.")],
        responses={
            (200, "application/json"): ReportDocumentSerializer,
            **{(200, kind): OpenApiTypes.BINARY for kind in MEDIA_TYPES},
        },
    )
    @action(detail=True, methods=["get"], content_negotiation_class=FormatIsOurs)
    def document(self, request: Request, pk: Any = None) -> HttpResponseBase:
        """Return the report with its results."""
        params = request._request.GET
        unknown = set(params) - {"format", "paper"}
        if unknown:
            errors = [_("There is no such filter.")]
            raise exceptions.ValidationError(dict.fromkeys(sorted(unknown), errors))
        content = rendered(self.get_object())
        file_format = params.get("format", "json")
        if file_format != "json":
            file = make_document(content, file_format, params.get("paper", "A4"))
            return attached(file.data, file.name, file.media_type)
        document = {"title": content.title, "text": content.text, "sections": content.parts}
        return Response(ReportDocumentSerializer(document).data)

    @extend_schema(
        methods=["get"],
        responses={200: ShareLinkSerializer(many=True)},
        operation_id="reports_shares",
    )
    @extend_schema(
        methods=["post"], request=ShareLinkInputSerializer,
        responses={201: CreatedShareLinkSerializer}, operation_id="reports_share",
    )  # fmt: skip
    @action(detail=True, methods=["get", "post"], pagination_class=None, filterset_class=None)
    def shares(self, request: Request, pk: Any = None) -> Response:
        """List or create links that show this report without a login."""
        report = self.get_object()
        if request.method != "POST":
            return Response(ShareLinkSerializer(report.shares.all(), many=True).data)
        params = ShareLinkInputSerializer(data=request.data)
        params.is_valid(raise_exception=True)
        user, days = user_of(request), params.validated_data["days"]
        share, token = share_link_create(report=report, user=user, days=days)
        address = request.build_absolute_uri(reverse("shared", args=[token]))
        data = {"address": own_address(request, address), "share": ShareLinkSerializer(share).data}
        return Response(data, status=status.HTTP_201_CREATED)

    @extend_schema(request=None, responses={200: ShareLinkSerializer})
    @action(
        detail=True, methods=["post"], url_path="shares/<int:share_pk>/revoke",
        url_name="share-revoke",
    )  # fmt: skip
    def revoke_share(self, request: Request, pk: Any = None, share_pk: int = 0) -> Response:
        """Revoke a share link."""
        row = self.get_object().shares.filter(pk=share_pk).select_related("report").first()
        if row is None:
            raise exceptions.NotFound
        share = share_link_revoke(share=row, user=user_of(request))
        return Response(ShareLinkSerializer(share).data)


def _plain(data: Validated) -> Validated:
    """Convert the sections of validated data to drafts."""
    plain = dict(data)
    if "sections" in plain:
        plain["sections"] = tuple(SectionDraft(**row) for row in plain["sections"])
    return plain


router_entries = (("reports", ReportViewSet),)

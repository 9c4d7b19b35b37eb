"""API of measurements and series."""

from __future__ import annotations

import numpy as np
from django.db.models import QuerySet
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.columnar import STREAMED
from apps.common.api.serializers import StrictModelSerializer, StrictSerializer
from apps.common.api.viewsets import FormatIsOurs, ReadViewSet
from apps.common.database.statements import with_long_statements
from apps.common.errors import ServiceError
from apps.plans.api.workload_labels import WorkloadLabelField
from apps.results.api.baselines import router_entries as baselines
from apps.results.filters.results import MeasurementFilter, SeriesFilter
from apps.results.models import Measurement, Series
from apps.results.selectors.export import FIELDS, MAXIMA_FIELDS, exported
from apps.results.selectors.results import measurements_visible, series_window
from apps.tools.metrics import COLUMNS


class MeasurementSerializer(StrictModelSerializer[Measurement]):
    run = serializers.IntegerField(source="case.run_id", read_only=True)
    workload = serializers.CharField(source="workload.key", read_only=True)
    label = WorkloadLabelField()  # type: ignore[assignment] # the API's word, a field here
    host = serializers.IntegerField(source="case.host_id", read_only=True)
    target = serializers.IntegerField(
        source="case.run_target.target_id", read_only=True, allow_null=True
    )
    target_name = serializers.CharField(source="case.target_words", read_only=True)
    tuning_name = serializers.CharField(source="case.tuning_name", read_only=True)
    repeat = serializers.IntegerField(source="case.repeat", read_only=True)

    class Meta:
        model = Measurement
        fields = [
            "id", "run", "case", "attempt", "workload", "label", "host", "target", "target_name",
            "tuning_name", "repeat", "operation", "component", "member", *COLUMNS, "percentiles",
            "values", "valid", "invalid_reason", "format", "parser_version", "created_at",
        ]  # fmt: skip
        read_only_fields = fields


class MeasurementDetailSerializer(MeasurementSerializer):
    histogram = serializers.SerializerMethodField()

    class Meta(MeasurementSerializer.Meta):
        fields = [*MeasurementSerializer.Meta.fields, "histogram"]
        read_only_fields = fields

    @extend_schema_field(
        {
            "type": "object",
            "nullable": True,
            "properties": {
                "bins": {"type": "array", "items": {"type": "integer"}},
                "counts": {"type": "array", "items": {"type": "integer"}},
            },
        }
    )
    def get_histogram(self, row: Measurement) -> dict[str, list[int]] | None:
        result = getattr(row, "histogram", None)
        return {"bins": result.bins, "counts": result.counts} if result else None


class SeriesSerializer(StrictModelSerializer[Series]):
    case = serializers.IntegerField(source="attempt.case_id", read_only=True)

    class Meta:
        model = Series
        fields = [
            "id", "case", "attempt", "source", "component", "member", "subject", "metric", "start",
            "interval", "length", "downsampled_at", "value_count", "minimum", "mean", "maximum",
            "stddev", "stalled",
        ]  # fmt: skip
        read_only_fields = fields


class SeriesPointsSerializer(StrictSerializer):
    seconds = serializers.ListField(child=serializers.FloatField())
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))
    length = serializers.IntegerField(
        help_text="Values of the whole series. A long window comes as its tiles' extremes."
    )


class SeriesSummarySerializer(StrictSerializer):
    count = serializers.IntegerField(help_text="Intervals that have a value.")
    minimum = serializers.FloatField(allow_null=True)
    mean = serializers.FloatField(allow_null=True, help_text="Each interval counts alike.")
    maximum = serializers.FloatField(allow_null=True)
    stddev = serializers.FloatField(
        allow_null=True, help_text="Standard deviation of the intervals (count - 1)."
    )


class MeasurementViewSet(ReadViewSet[Measurement]):
    queryset = measurements_visible()
    is_archive = True
    filterset_class = MeasurementFilter

    def get_queryset(self) -> QuerySet[Measurement]:
        """Return whole measurements in lists, so that no sum counts components twice."""
        rows = super().get_queryset()
        component_filters = self.request.query_params.keys() & {"components", "of_disk"}
        lists = self.action in ("list", "export")
        return rows.filter(component="") if lists and not component_filters else rows

    @extend_schema(
        parameters=[
            OpenApiParameter("format", str, enum=list(STREAMED), description="Default: csv."),
            OpenApiParameter(
                "maxima",
                bool,
                description="Also the highest IOPS and bandwidth over the windows of each test.",
            ),
        ],
        responses={
            (200, kind.partition(";")[0]): OpenApiTypes.BINARY for kind, _make in STREAMED.values()
        },
        filters=True,
    )
    @action(detail=False, url_path="export", content_negotiation_class=FormatIsOurs)
    def export(self, request: Request) -> HttpResponseBase:
        """Stream all measurements of a selection as a file."""
        query = request._request.GET
        unknown = set(query) - {"format", "maxima"} - self.filter_names()
        if unknown:
            words = {name: [_("There is no such filter.")] for name in sorted(unknown)}
            raise exceptions.ValidationError(words)
        self.check_values(request)
        file_format = query.get("format", "csv")
        if file_format not in STREAMED:
            words = {"format": [_("There is no such format.")]}
            raise exceptions.ValidationError(words)
        with_maxima = query.get("maxima", "false")
        if with_maxima not in ("true", "false"):
            raise exceptions.ValidationError({"maxima": [_("One of: ") + "true, false"]})
        maxima = with_maxima == "true"
        rows = self.filter_queryset(self.get_queryset()).prefetch_related(None)
        kind, pieces = STREAMED[file_format]
        fields = (*FIELDS, *MAXIMA_FIELDS) if maxima else FIELDS
        content = with_long_statements(pieces(fields, exported(rows, maxima=maxima)))
        answer = StreamingHttpResponse(content, content_type=kind)
        answer["Content-Disposition"] = f'attachment; filename="measurements.{file_format}"'
        return answer

    def get_serializer_class(self) -> type[MeasurementSerializer]:
        detail = self.action == "retrieve"
        return MeasurementDetailSerializer if detail else MeasurementSerializer


class SeriesViewSet(ReadViewSet[Series]):
    queryset = Series.objects.select_related("attempt")
    is_archive = True
    filterset_class = SeriesFilter
    serializer_class = SeriesSerializer

    @extend_schema(responses=SeriesSummarySerializer)
    @action(detail=True)
    def summary(self, request: Request, pk: int) -> Response:
        """Return count, minimum, mean, maximum and standard deviation in the metric's unit."""
        series = self.get_object()
        values = {name: getattr(series, name) for name in ("minimum", "mean", "maximum", "stddev")}
        return Response({"count": series.value_count or 0, **values})

    @extend_schema(
        responses=SeriesPointsSerializer,
        parameters=[
            OpenApiParameter("from", float, description="Window's start, seconds."),
            OpenApiParameter("to", float, description="Window's end, seconds."),
        ],
    )
    @action(detail=True)
    def samples(self, request: Request, pk: int) -> Response:
        """Return the samples of a time window; null for a missing sample."""
        series = self.get_object()
        start, end = _seconds(request, "from"), _seconds(request, "to")
        times, values = series_window(series, start=start, end=end)
        known = [None if np.isnan(value) else value for value in values.tolist()]
        return Response({"seconds": times.tolist(), "values": known, "length": series.length})


def _seconds(request: Request, name: str) -> float | None:
    raw = request.query_params.get(name)
    if raw is None:
        return None
    try:
        value = float(raw)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise ServiceError(
            f"{name} must be a number of seconds.", fields={name: "not a number"}, status=400
        )
    return value


router_entries = [
    ("measurements", MeasurementViewSet),
    ("series", SeriesViewSet),
    *baselines,
]

"""/api/v1/history/: results of one workload over time."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import exceptions, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.analysis.api.causes import CausesSerializer, causes_document
from apps.analysis.history.causes import history_causes
from apps.analysis.history.change_text import (
    change_point_text,
    changed_text,
    kind_of,
    no_change_text,
)
from apps.analysis.history.readings import PROPERTIES
from apps.analysis.history.result import Level
from apps.analysis.history.segments import ChangePoint
from apps.analysis.history.selectors import history_read
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.queries.workload_metric import WorkloadMetric, choose_metric
from apps.analysis.queries.workloads import DEFAULT_METRIC
from apps.common.domain.verdicts import DIFFERENCE_SHOWN
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_name
from apps.results.selectors.results import comparable_summaries
from apps.tools.metrics import COLUMNS, METRICS, OVER_TIME, in_order
from apps.tools.registry import measures_network


class IntervalField(serializers.ListField):
    """Low and high end of the exact 95 % interval of a median; null with fewer than six runs."""

    child = serializers.FloatField()


class ReadingSerializer(serializers.Serializer[Any]):
    measured_at = serializers.DateTimeField(source="at")
    has_measured_time = serializers.BooleanField(
        source="timed", help_text="False: `measured_at` is the time of import."
    )
    value = serializers.FloatField()
    tuning = serializers.CharField(
        source="level",
        help_text="Effective tuning; with several targets prefixed by the target.",
    )
    target = serializers.CharField()
    measurement = serializers.IntegerField()
    case = serializers.IntegerField()
    run = serializers.IntegerField()


class ChangeSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="First result with the new value.")
    target = serializers.CharField()
    what = serializers.ChoiceField(choices=list(PROPERTIES))
    before = serializers.CharField()
    after = serializers.CharField()
    run = serializers.IntegerField()


class ChangePointSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="The first run after the change.")
    tuning = serializers.CharField(source="level")
    ratio = serializers.FloatField(help_text="Median after the change over the median before it.")
    before = serializers.FloatField(source="before.median")
    after = serializers.FloatField(source="after.median")
    before_interval = IntervalField(source="before.median_interval", allow_null=True)
    after_interval = IntervalField(source="after.median_interval", allow_null=True)
    runs_before = serializers.IntegerField(source="before.runs")
    runs_after = serializers.IntegerField(source="after.runs")
    run = serializers.IntegerField(
        source="after.first.run", help_text="The first run after the change."
    )
    changes = ChangeSerializer(
        many=True, source="marks", help_text="Configuration changes at that run, or near it."
    )
    verdict = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField(help_text="The sentence of the page.")

    @extend_schema_field(serializers.ChoiceField(choices=list(DIFFERENCE_SHOWN), allow_null=True))
    def get_verdict(self, point: ChangePoint) -> str | None:
        kind = kind_of(point, self.context["metric"])
        return kind.value if kind else None

    def get_text(self, point: ChangePoint) -> str:
        return change_point_text(point, self.context["metric"], network=self.context["network"])


class LevelSerializer(serializers.Serializer[Any]):
    """Results under one tuning since its last change."""

    tuning = serializers.CharField(source="label")
    runs = serializers.IntegerField(help_text="All runs, before a change too.")
    has_changed = serializers.BooleanField()
    text = serializers.CharField(help_text="Whether a change was found, as a sentence.")
    since = serializers.DateTimeField(allow_null=True, help_text="First run since then.")
    runs_since = serializers.IntegerField()
    median = serializers.FloatField(allow_null=True, help_text="Of the medians of these runs.")
    median_interval = IntervalField(allow_null=True)


@extend_schema_serializer(many=False)  # one object, though the address is a list's
class HistorySerializer(serializers.Serializer[Any]):
    workload = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # the API's word, a field here
    operation = serializers.CharField(help_text="Requested operation, else the first one.")
    operations = serializers.ListField(child=serializers.CharField())
    metric = serializers.ChoiceField(choices=in_order((*COLUMNS, *OVER_TIME)))
    metrics = serializers.ListField(
        child=serializers.CharField(), help_text="Measured metrics of the operation."
    )
    unit = serializers.CharField()
    more = serializers.BooleanField(help_text="True if older results exist; use `before`.")
    readings = ReadingSerializer(many=True, help_text="Oldest first; at most 20,000.")
    changes = ChangeSerializer(many=True)
    change_points = ChangePointSerializer(
        many=True, help_text="Changes of the medians of runs, oldest first."
    )
    levels = LevelSerializer(many=True)


def _query(name: str, kind: Any, description: str, *, required: bool = False) -> OpenApiParameter:
    return OpenApiParameter(
        name, kind, OpenApiParameter.QUERY, description=description, required=required
    )


PARAMETERS = [
    _query(
        "workload", str, "The workload's key, as cases and measurements have it.", required=True
    ),
    _query("target", int, "Only on this target."),
    _query("host", int, "Only where this host was the first that took part."),
    _query("tuning", int, "Only under this tuning profile."),
    _query("operation", str, "read, write, send ...; default: the first that was measured."),
    _query("metric", str, "Default: the first of p99, IOPS, bandwidth that was measured."),
    _query("after", str, "Measured at or after (ISO 8601)."),
    _query("before", str, "Measured before (ISO 8601)."),
]


class HistoryViewSet(viewsets.ViewSet):
    """Comparable results of one workload over time."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(
        operation_id="history_retrieve", parameters=PARAMETERS, responses=HistorySerializer
    )
    def list(self, request: Request) -> Response:
        filterset, workload, choice = _parsed(request)
        history = history_read(filterset.qs, metric=choice.metric, operation=choice.operation)
        document = {
            "workload": workload.key,
            "label": workload_name(workload),
            "operation": choice.operation,
            "operations": choice.operations,
            "metric": choice.metric,
            "metrics": choice.metrics,
            "unit": METRICS[choice.metric].unit,
            "more": history.more,
            "readings": history.readings,
            "changes": history.marks,
            "change_points": history.change_points,
            "levels": [_level(level) for level in history.levels],
        }
        context = {"metric": choice.metric, "network": measures_network(workload.tool)}
        return Response(HistorySerializer(document, context=context).data)

    @extend_schema(operation_id="history_causes", parameters=PARAMETERS, responses=CausesSerializer)
    @action(detail=False)
    def causes(self, request: Request) -> Response:
        """Return what would explain the newest changes, by fit."""
        filterset, workload, choice = _parsed(request)
        history = history_read(filterset.qs, metric=choice.metric, operation=choice.operation)
        return Response(causes_document(history_causes(history, workload, choice.metric)))


def _parsed(request: Request) -> tuple[WorkloadFilter, Workload, WorkloadMetric]:
    """Return the query, its workload, metric and operation. Raises: ValidationError."""
    filterset = WorkloadFilter(request.query_params, queryset=comparable_summaries())
    unknown = set(request.query_params) - set(filterset.base_filters)
    if unknown:
        raise exceptions.ValidationError(
            {name: [_("There is no such filter.")] for name in sorted(unknown)}
        )
    if not filterset.form.is_valid():
        raise exceptions.ValidationError(filterset.form.errors)
    workload: Workload | None = filterset.single_workload
    if workload is None:
        raise exceptions.ValidationError({"workload": [_("Name a workload by its key.")]})
    choice = choose_metric(filterset, workload)
    if choice is None:
        choice = WorkloadMetric(filterset.form.cleaned_data["operation"], DEFAULT_METRIC, (), ())
    return filterset, workload, choice


def _level(level: Level) -> dict[str, object]:
    *earlier, last = level.segments or (None,)
    has_changed = bool(earlier)
    return {
        "label": level.label,
        "runs": len(level.runs),
        "has_changed": has_changed,
        "text": changed_text(level) if has_changed else no_change_text(level),
        "since": last.first.at if last else None,
        "runs_since": last.runs if last else 0,
        "median": last.median if last else None,
        "median_interval": last.median_interval if last else None,
    }


router_entries = [("history", HistoryViewSet)]

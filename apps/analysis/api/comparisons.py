"""/api/v1/compare/: comparisons of levels against a baseline."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import exceptions, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.analysis.api.causes import CausesSerializer, causes_document
from apps.analysis.compare.api_document import comparison_document
from apps.analysis.compare.causes import comparison_causes
from apps.analysis.queries.comparison_query import NAMES, ComparisonQuery, parse_comparison_query
from apps.analysis.verdicts.comparison import compute_comparison
from apps.common.domain.verdicts import COMPARISON_VERDICTS
from apps.results.api.expectations import ExpectationResultSerializer
from apps.tools.metrics import COMPARISON_METRICS

VERDICTS = [kind.value for kind in COMPARISON_VERDICTS]


class EffectSerializer(serializers.Serializer[Any]):
    ratio = serializers.FloatField(
        allow_null=True, help_text="The level's median over the baseline's."
    )
    typical = serializers.FloatField(
        allow_null=True,
        help_text="Median ratio between repeats of both sides: the verdict's estimate.",
    )
    low = serializers.FloatField(
        allow_null=True, help_text="Interval of the verdict, else of 95 %."
    )
    high = serializers.FloatField(allow_null=True)


class CellSerializer(serializers.Serializer[Any]):
    metric = serializers.ChoiceField(choices=list(COMPARISON_METRICS))
    level = serializers.CharField()
    baseline_values = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        help_text="A value per repeat, in the order of measurement: bytes/s, operations/s, ns.",
    )
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))
    effect = EffectSerializer()
    p = serializers.FloatField(allow_null=True)
    p_corrected = serializers.FloatField(allow_null=True)
    verdict = serializers.ChoiceField(choices=VERDICTS)
    text = serializers.CharField()


class ConfounderSerializer(serializers.Serializer[Any]):
    level = serializers.CharField()
    name = serializers.CharField()
    baseline_has = serializers.CharField()
    level_has = serializers.CharField()


class LevelExpectationSerializer(ExpectationResultSerializer):
    level = serializers.CharField()


class DetectableEffectSerializer(serializers.Serializer[Any]):
    level = serializers.CharField(help_text="A level whose main metric shows no difference.")
    smallest = serializers.FloatField(
        allow_null=True, help_text="Smallest share detected with 95 % power."
    )
    requested = serializers.FloatField(help_text="Requested share: the minimum, or 0.03.")
    extra_repeats = serializers.IntegerField(
        allow_null=True, help_text="Additional repeats that detect it; null above a thousand."
    )
    seconds = serializers.FloatField(allow_null=True, help_text="Duration of those.")


class SpreadSerializer(serializers.Serializer[Any]):
    level = serializers.CharField(help_text="Level with another spread than the baseline.")
    metric = serializers.CharField()
    ratio = serializers.FloatField(help_text="Spread of the level over that of the baseline.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    p = serializers.FloatField()
    p_corrected = serializers.FloatField()
    text = serializers.CharField()


class WithinTestsSerializer(serializers.Serializer[Any]):
    level = serializers.CharField(help_text="Level with stalls, or with a spread within tests.")
    baseline_stalled = serializers.FloatField(
        allow_null=True, help_text="Seconds without progress in all repeats; null if unknown."
    )
    baseline_seconds = serializers.FloatField(help_text="Seconds of all repeats.")
    stalled = serializers.FloatField(allow_null=True)
    seconds = serializers.FloatField()
    deviation = serializers.FloatField(
        allow_null=True,
        help_text="Standard deviation of the windows of a test over their mean, if the change is"
        " within its error and too few repeats were measured.",
    )
    error = serializers.FloatField(
        allow_null=True, help_text="Standard error of the change that follows from it."
    )
    text = serializers.CharField()


class RequestSizesSerializer(serializers.Serializer[Any]):
    level = serializers.CharField()
    baseline = serializers.FloatField(
        help_text="Mean size of the device's requests in bytes: the median of the repeats."
    )
    value = serializers.FloatField(help_text="The same of the level.")


class WorkloadComparisonSerializer(serializers.Serializer[Any]):
    workload = serializers.CharField(help_text="Key that results match on.")
    name = serializers.CharField()
    operation = serializers.CharField()
    where = serializers.CharField()
    main_metric = serializers.CharField(help_text="The metric that is tested before the others.")
    confounders = ConfounderSerializer(many=True)
    detectable_effects = DetectableEffectSerializer(many=True)
    spreads = SpreadSerializer(many=True)
    within_tests = WithinTestsSerializer(many=True)
    request_sizes = RequestSizesSerializer(many=True)
    drifts = serializers.ListField(child=serializers.CharField())
    cells = CellSerializer(many=True)
    expectations = LevelExpectationSerializer(many=True)


class SummarySerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    where = serializers.CharField()
    level = serializers.CharField()
    metric = serializers.CharField()
    baseline_n = serializers.IntegerField(help_text="Repeats of the baseline.")
    n = serializers.IntegerField(help_text="Repeats of the level.")
    effect = EffectSerializer()
    verdict = serializers.ChoiceField(choices=VERDICTS)
    text = serializers.CharField()
    baseline_blocks = serializers.IntegerField(
        help_text="Blocks with repeats of the baseline; 0: measured without blocks."
    )
    blocks = serializers.IntegerField(help_text="The same of the level.")
    test = serializers.ChoiceField(
        choices=["blocks", "pairs", "all"],
        allow_null=True,
        help_text="Randomisation within blocks, between pairs, or of all repeats; null: no test.",
    )
    confidence = serializers.FloatField(
        allow_null=True,
        help_text="Confidence of the interval as a share, corrected for the family.",
    )
    needed = serializers.IntegerField(
        allow_null=True, help_text="Repeats of each side that are needed, if there are too few."
    )


class HeadlineSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(choices=["", *VERDICTS])
    text = serializers.CharField()
    workloads = SummarySerializer(many=True, help_text="The workloads that the sentence names.")
    more = serializers.IntegerField(help_text="The number of those that it does not name.")


@extend_schema_serializer(many=False)  # one object, though the address is a list's
class ComparisonSerializer(serializers.Serializer[Any]):
    query = serializers.CharField(help_text="The page's query: /compare/?<query>.")
    runs = serializers.ListField(child=serializers.IntegerField())
    factor = serializers.CharField()
    levels = serializers.ListField(child=serializers.CharField(), help_text="The baseline first.")
    baseline = serializers.CharField()
    tested = serializers.ListField(child=serializers.CharField())
    family = serializers.IntegerField(help_text="Comparisons that were tested, corrected together.")
    results_used = serializers.IntegerField()
    excluded_results = serializers.DictField(child=serializers.IntegerField())
    cases_without_result = serializers.DictField(child=serializers.IntegerField())
    headline = HeadlineSerializer(many=True, help_text="Headline of pages, reports and exports.")
    summary = SummarySerializer(many=True)
    workloads = WorkloadComparisonSerializer(many=True)


def _query(name: str, kind: Any, description: str, many: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=description, many=many)


PARAMETERS = [
    _query("run", int, "Runs to compare.", many=True),
    _query("plan", int, "All runs of this plan."),
    _query("factor", str, "tuning, host, target, disk, run or param:<name>; default tuning."),
    _query("baseline", str, "The baseline level."),
    _query("operation", str, "Only this operation."),
    _query(
        "metric",
        str,
        "Metrics to test; default: the main one of each workload, then the others.",
        many=True,
    ),
    _query("host", int, "Only this host."),
    _query("target", str, "Only this target, by name or by its number."),
    _query("tuning", str, "Only this tuning, by name or by its profile's number."),
    _query("minimum", float, "Percent below which a difference does not matter."),
]


class CompareViewSet(viewsets.ViewSet):
    """Compare runs; stores nothing."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(
        operation_id="compare_retrieve",
        parameters=PARAMETERS,
        responses=ComparisonSerializer,
    )
    def list(self, request: Request) -> Response:
        return Response(comparison_document(compute_comparison(_parsed(request))))

    @extend_schema(operation_id="compare_causes", parameters=PARAMETERS, responses=CausesSerializer)
    @action(detail=False)
    def causes(self, request: Request) -> Response:
        """Return what would explain the differences, by how well it fits the affected repeats."""
        comparison = compute_comparison(_parsed(request))
        return Response(causes_document(comparison_causes(comparison)))


def _parsed(request: Request) -> ComparisonQuery:
    """Return the query. Raises: ValidationError."""
    unknown = set(request.query_params) - NAMES
    if unknown:
        raise exceptions.ValidationError(
            {name: [_("There is no such filter.")] for name in sorted(unknown)}
        )
    query = parse_comparison_query(request.query_params)
    if query.is_empty:
        raise exceptions.ValidationError({"run": [_("Name runs, or a plan.")]})
    return query


router_entries = [("compare", CompareViewSet)]

"""/api/v1/gate/: decisions on limits, for pipelines."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.analysis.gate.api_document import gate_document
from apps.analysis.gate.decisions import GateState
from apps.analysis.gate.query import LIMITS, parse_gate_query
from apps.analysis.gate.result import compute_gate
from apps.tools.metrics import METRICS, TABLE_METRICS

STATES = [state.value for state in GateState]


class GateRowSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(choices=STATES)
    text = serializers.CharField(help_text="The decision as a sentence.")
    workload = serializers.CharField(help_text="Its name; empty if no workload has the metric.")
    operation = serializers.CharField(help_text="Empty for a test without any result.")
    metric = serializers.ChoiceField(choices=list(TABLE_METRICS))
    target = serializers.CharField()
    tuning = serializers.CharField()
    level = serializers.CharField(help_text="Level that is compared with the baseline.")
    baseline = serializers.CharField()
    limit_percent = serializers.FloatField(help_text="How much worse is still good.")
    limit_ratio = serializers.FloatField(help_text="The same as a ratio to the baseline.")
    unit = serializers.CharField(help_text="Unit of the medians.")
    baseline_median = serializers.FloatField(allow_null=True)
    median = serializers.FloatField(allow_null=True)
    baseline_text = serializers.CharField(help_text="The baseline's median with its unit.")
    median_text = serializers.CharField()
    baseline_n = serializers.IntegerField(help_text="Repeats of the baseline.")
    n = serializers.IntegerField()
    ratio = serializers.FloatField(
        allow_null=True, help_text="Median ratio between repeats of both sides."
    )
    low = serializers.FloatField(allow_null=True, help_text="Interval of the ratio.")
    high = serializers.FloatField(allow_null=True)
    confidence = serializers.FloatField(
        help_text="Of the interval: 0.95 for a passed row, corrected for all limits for others."
    )
    more_repeats = serializers.IntegerField(
        allow_null=True, help_text="Repeats that may decide an undecided row, if any number can."
    )
    differing = serializers.ListField(
        child=serializers.CharField(), help_text="What differs besides the factor."
    )


@extend_schema_serializer(many=False)  # one object, though the address is a list's
class GateSerializer(serializers.Serializer[Any]):
    run = serializers.IntegerField()
    name = serializers.CharField(help_text="The run's name.")
    against = serializers.CharField()
    query = serializers.CharField(help_text="The page's query: /gate/?<query>.")
    state = serializers.ChoiceField(choices=STATES, help_text="The worst state of the rows.")
    text = serializers.CharField(help_text="The state as a sentence.")
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="Rows by state, the worst first."
    )
    limits = serializers.IntegerField(
        help_text='Limits that share the 5 % error of a false "failed".'
    )
    more_repeats = serializers.IntegerField(
        allow_null=True,
        help_text="Repeats to add to the run that may decide every undecided row; null if none.",
    )
    rows = GateRowSerializer(many=True, help_text="The worst first.")


PARAMETERS = [
    OpenApiParameter("run", int, required=True, description="The run to decide on."),
    OpenApiParameter(
        "against",
        str,
        required=True,
        description="baseline:NAME, run:NUMBER, tuning:NAME of the same run, or"
        " param:NAME=VALUE of the same run.",
    ),
    OpenApiParameter("operation", str, description="Only this operation."),
    *(
        OpenApiParameter(
            name,
            str,
            description=f"{METRICS[metric].label}: percent that it may be worse, above 0.",
        )
        for name, metric in LIMITS.items()
    ),
]


class GateViewSet(viewsets.ViewSet):
    """Decide whether a run keeps limits against a baseline; stores nothing."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(operation_id="gate_retrieve", parameters=PARAMETERS, responses=GateSerializer)
    def list(self, request: Request) -> Response:
        return Response(gate_document(compute_gate(parse_gate_query(request.query_params))))


router_entries = [("gate", GateViewSet)]

"""API of the expectations of a run or a case, with their verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.permissions import user_of
from apps.common.api.serializers import StrictSerializer
from apps.common.domain.keys import parse_key
from apps.common.domain.verdicts import EXPECTATION_VERDICTS
from apps.plans.api.expectations import StepExpectationSerializer
from apps.plans.schemas.expectations import Expectation
from apps.results.presenters.expectation_text import expected_text, reason_text
from apps.results.schemas.imported_expectations import TargetExpectation
from apps.results.selectors.expectations import EvaluatedExpectation, evaluate_case, evaluate_run
from apps.results.services.imported_expectations import imported_expectations_set
from apps.runs.models import Case, Run

VERDICTS = [each.value for each in EXPECTATION_VERDICTS]
_NAMES = ("run", "case", "verdict")


class ExpectationResultSerializer(StepExpectationSerializer):
    """Expectation with its verdict.

    `median`: median of the valid repeats; `limit`: the expected value after the tolerance.
    """

    step = serializers.CharField()
    workload = serializers.CharField(help_text="Its key.")
    target = serializers.CharField()
    tuning_name = serializers.CharField()
    verdict = serializers.ChoiceField(choices=VERDICTS)
    limit = serializers.FloatField()
    repeats = serializers.IntegerField()
    median = serializers.FloatField(allow_null=True)
    interval_low = serializers.FloatField(allow_null=True)
    interval_high = serializers.FloatField(allow_null=True)
    is_exact = serializers.BooleanField(
        help_text="The interval is the exact 95 % interval of the median, else the repeats' range."
    )
    margin = serializers.FloatField(
        allow_null=True, help_text="Share of the value that the median is on its good side."
    )
    text = serializers.CharField(help_text="The expectation as the page words it.")
    reason = serializers.CharField(help_text="The meaning of the verdict, as a sentence.")
    waived = serializers.BooleanField(
        help_text="Missed, but the provider's other limit is met, which is enough."
    )


class TargetExpectationSerializer(StepExpectationSerializer):
    """An expectation of the results of an import."""

    value = serializers.FloatField(help_text="Bytes/s, operations/s, ns.")
    source = serializers.ChoiceField(choices=["own", "provider"], default="own")
    target = serializers.CharField(
        max_length=500, default="", allow_blank=True, help_text="Its name; blank: every target."
    )


class ImportedExpectationsSerializer(StrictSerializer):
    """All expectations of an imported run; those that it had are replaced."""

    run = serializers.IntegerField(min_value=1)
    expectations = TargetExpectationSerializer(many=True)


class ExpectationsViewSet(viewsets.ViewSet):
    """Expectations of steps and of imported runs, evaluated with the results."""

    http_method_names = ["get", "post", "head", "options"]

    @extend_schema(
        request=ImportedExpectationsSerializer,
        responses={200: ExpectationResultSerializer(many=True)},
    )
    def create(self, request: Request) -> Response:
        """Replace the expectations of an imported run; a launched one keeps those of its plan."""
        serializer = ImportedExpectationsSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        run = get_object_or_404(Run, pk=serializer.validated_data["run"])
        wanted = [_target_expectation(row) for row in serializer.validated_data["expectations"]]
        run = imported_expectations_set(run=run, user=user_of(request), wanted=wanted)
        return Response([expectation_document(one) for one in evaluate_run(run)])

    @extend_schema(
        operation_id="expectations_list",
        parameters=[
            OpenApiParameter("run", int, description="Of this run: its repeats together."),
            OpenApiParameter("case", int, description="Of this case alone."),
            OpenApiParameter("verdict", str, enum=VERDICTS, description="Only these."),
        ],
        responses=ExpectationResultSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        unknown = set(request.query_params) - set(_NAMES)
        if unknown:
            raise exceptions.ValidationError(
                {name: [_("There is no such filter.")] for name in sorted(unknown)}
            )
        wanted = request.query_params.get("verdict", "")
        if wanted and wanted not in VERDICTS:
            raise exceptions.ValidationError({"verdict": [_("One of: ") + ", ".join(VERDICTS)]})
        result = _found(request)
        return Response(
            [expectation_document(h) for h in result if wanted in ("", h.verdict.value)]
        )


def _target_expectation(row: Mapping[str, Any]) -> TargetExpectation:
    values = {name: value for name, value in row.items() if name != "target"}
    return TargetExpectation(Expectation(**values), row["target"])


def _found(request: Request) -> list[EvaluatedExpectation]:
    if case := _key(request, "case"):
        return evaluate_case(get_object_or_404(Case, pk=case))
    if run := _key(request, "run"):
        return evaluate_run(get_object_or_404(Run, pk=run))
    raise exceptions.ValidationError({"run": [_("Name a run or a case.")]})


def _key(request: Request, name: str) -> int | None:
    raw = request.query_params.get(name, "")
    if not raw:
        return None
    if not (key := parse_key(raw)):
        raise exceptions.ValidationError({name: [_("This is no number of a row.")]})
    return key


def expectation_document(one: EvaluatedExpectation) -> dict[str, object]:
    """Return an evaluated expectation as JSON."""
    expected, result = one.expected, one.result
    side = one.side
    return {
        "metric": expected.metric,
        "direction": expected.direction,
        "value": expected.value,
        "unit": expected.unit,
        "tolerance": expected.tolerance,
        "source": expected.source,
        "operation": side.operation if side else expected.operation,
        "step": side.step if side else "",
        "workload": side.key if side else "",
        "target": side.target if side else "",
        "tuning_name": side.tuning if side else "",
        "verdict": result.verdict.value,
        "limit": result.limit,
        "repeats": result.repeats,
        "median": result.median,
        "interval_low": result.interval_low,
        "interval_high": result.interval_high,
        "is_exact": result.is_exact,
        "margin": result.margin,
        "waived": result.waived,
        "text": expected_text(one),
        "reason": reason_text(one),
    }


router_entries = [("expectations", ExpectationsViewSet)]

"""/api/v1/expectations/: expectations of a run or a case, and whether they were met."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.domain.keys import parse_key
from apps.common.domain.verdicts import EXPECTATION_VERDICTS
from apps.plans.api.expectations import StepExpectationSerializer
from apps.results.selectors.expectations import HeldExpectation, case_held, run_held
from apps.runs.models import Case, Run

JUDGED = [each.value for each in EXPECTATION_VERDICTS]
_NAMES = ("run", "case", "judged")


class HeldSerializer(StepExpectationSerializer):
    """An expectation, and what was measured: of the valid repeats the median, with the interval
    that was held against `bound`, the value with its tolerance.
    """

    step = serializers.CharField()
    workload = serializers.CharField(help_text="Its key.")
    target = serializers.CharField()
    tuning_name = serializers.CharField()
    judged = serializers.ChoiceField(choices=JUDGED)
    bound = serializers.FloatField()
    repeats = serializers.IntegerField()
    measured = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    exact = serializers.BooleanField(
        help_text="low to high is the exact 95 % interval of the median; else all repeats' range."
    )
    margin = serializers.FloatField(
        allow_null=True, help_text="Share of the value that the median is on its good side."
    )
    spared = serializers.BooleanField(
        help_text="Missed, but the provider's other promise is reached: more cannot be."
    )


class ExpectationsViewSet(viewsets.ViewSet):
    """Expectations of steps, held against what was measured."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(
        operation_id="expectations_list",
        parameters=[
            OpenApiParameter("run", int, description="Of this run: its repeats together."),
            OpenApiParameter("case", int, description="Of this case alone."),
            OpenApiParameter("judged", str, enum=JUDGED, description="Only these."),
        ],
        responses=HeldSerializer(many=True),
    )
    def list(self, request: Request) -> Response:
        unknown = set(request.query_params) - set(_NAMES)
        if unknown:
            raise exceptions.ValidationError(
                {name: [_("There is no such filter.")] for name in sorted(unknown)}
            )
        wanted = request.query_params.get("judged", "")
        if wanted and wanted not in JUDGED:
            raise exceptions.ValidationError({"judged": [_("One of: ") + ", ".join(JUDGED)]})
        found = _found(request)
        return Response([held_document(h) for h in found if wanted in ("", h.judged.value)])


def _found(request: Request) -> list[HeldExpectation]:
    if case := _key(request, "case"):
        return case_held(get_object_or_404(Case, pk=case))
    if run := _key(request, "run"):
        return run_held(get_object_or_404(Run, pk=run))
    raise exceptions.ValidationError({"run": [_("Name a run or a case.")]})


def _key(request: Request, name: str) -> int | None:
    raw = request.query_params.get(name, "")
    if not raw:
        return None
    if not (key := parse_key(raw)):
        raise exceptions.ValidationError({name: [_("This is no number of a row.")]})
    return key


def held_document(held: HeldExpectation) -> dict[str, object]:
    """One expectation for programs."""
    expected, found = held.expected, held.finding
    side = held.side
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
        "judged": found.judged.value,
        "bound": found.bound,
        "repeats": found.repeats,
        "measured": found.middle,
        "low": found.low,
        "high": found.high,
        "exact": found.exact,
        "margin": found.margin,
        "spared": found.spared,
    }


router_entries = [("expectations", ExpectationsViewSet)]

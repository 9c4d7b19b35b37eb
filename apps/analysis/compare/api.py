"""/api/v1/compare/: the comparison of the page, for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import exceptions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from apps.analysis.compare.comparison import Comparison, answer
from apps.analysis.compare.could import could_have, pace_of
from apps.analysis.compare.expected import sides_held
from apps.analysis.compare.judge import Entry, Line, Result, fill
from apps.analysis.compare.question import NAMES, question_of
from apps.analysis.compare.repeats import listed
from apps.analysis.compare.summary import Summary, summaries
from apps.analysis.compare.verdict import Kind
from apps.analysis.compare.words import kind_of, sentence
from apps.results.expectations import Known, known_of
from apps.results.expectations_api import HeldSerializer, held_data
from apps.tools.metrics import COMPARED

VERDICTS = [kind.value for kind in Kind]


class EffectSerializer(serializers.Serializer[Any]):
    ratio = serializers.FloatField(allow_null=True, help_text="Level over baseline.")
    low = serializers.FloatField(
        allow_null=True, help_text="The interval of the verdict, or alone at 95 %."
    )
    high = serializers.FloatField(allow_null=True)


class CellSerializer(serializers.Serializer[Any]):
    metric = serializers.ChoiceField(choices=list(COMPARED))
    level = serializers.CharField()
    baseline_values = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        help_text="One a repeat, in the order of measurement: bytes/s, operations/s, ns.",
    )
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))
    effect = EffectSerializer()
    p = serializers.FloatField(allow_null=True)
    p_corrected = serializers.FloatField(allow_null=True)
    verdict = serializers.ChoiceField(choices=VERDICTS)
    sentence = serializers.CharField()


class DifferenceSerializer(serializers.Serializer[Any]):
    level = serializers.CharField()
    name = serializers.CharField()
    baseline_has = serializers.CharField()
    level_has = serializers.CharField()


class LevelExpectationSerializer(HeldSerializer):
    level = serializers.CharField()


class CouldSerializer(serializers.Serializer[Any]):
    level = serializers.CharField(help_text="A level whose main metric shows no difference.")
    least = serializers.FloatField(
        allow_null=True, help_text="The smallest share that would have been seen in nine of ten."
    )
    wanted = serializers.FloatField(help_text="The share that is asked for: the minimum, or 0.03.")
    more_repeats = serializers.IntegerField(
        allow_null=True, help_text="About so many more show it; null where above a thousand."
    )
    seconds = serializers.FloatField(allow_null=True, help_text="What those take.")


class WorkloadComparisonSerializer(serializers.Serializer[Any]):
    workload = serializers.CharField(help_text="What was matched on.")
    name = serializers.CharField()
    operation = serializers.CharField()
    where = serializers.CharField()
    main = serializers.CharField(help_text="The metric that is tested before the others.")
    differing_factors = DifferenceSerializer(many=True)
    could_have_shown = CouldSerializer(many=True)
    drifts = serializers.ListField(child=serializers.CharField())
    cells = CellSerializer(many=True)
    expectations = LevelExpectationSerializer(many=True)


class SummarySerializer(serializers.Serializer[Any]):
    name = serializers.CharField(source="label")
    where = serializers.CharField()
    level = serializers.CharField()
    metric = serializers.CharField()
    verdict = serializers.ChoiceField(choices=VERDICTS, source="kind")
    sentence = serializers.CharField()


@extend_schema_serializer(many=False)  # one answer, though the address is a list's
class ComparisonSerializer(serializers.Serializer[Any]):
    query = serializers.CharField(help_text="The page's query: /compare/?<query>.")
    runs = serializers.ListField(child=serializers.IntegerField())
    factor = serializers.CharField()
    levels = serializers.ListField(child=serializers.CharField(), help_text="The baseline first.")
    baseline = serializers.CharField()
    tested = serializers.ListField(child=serializers.CharField())
    family = serializers.IntegerField(help_text="Comparisons that were tested, corrected together.")
    results_used = serializers.IntegerField()
    results_left_out = serializers.DictField(child=serializers.IntegerField())
    cases_without_result = serializers.DictField(child=serializers.IntegerField())
    summary = SummarySerializer(many=True)
    workloads = WorkloadComparisonSerializer(many=True)


def _query(name: str, kind: Any, words: str, many: bool = False) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.QUERY, description=words, many=many)


PARAMETERS = [
    _query("run", int, "Runs to compare.", many=True),
    _query("plan", int, "All runs of this plan."),
    _query("factor", str, "tuning, host, target, disk, run or param:<name>; default tuning."),
    _query("baseline", str, "The level the others are set against."),
    _query("operation", str, "Only this operation."),
    _query(
        "metric",
        str,
        "Metrics to test; default: the main one of each workload, the others behind it.",
        many=True,
    ),
    _query("host", int, "Only this host."),
    _query("disk", int, "Only this disk."),
    _query("target", str, "Only the target of this name."),
    _query("tuning", str, "Only the tuning of this name."),
    _query("minimum", float, "Percent below which a difference does not matter."),
]


class CompareViewSet(viewsets.ViewSet):
    """Compare runs; nothing is stored."""

    http_method_names = ["get", "head", "options"]

    @extend_schema(
        operation_id="compare_retrieve",
        parameters=PARAMETERS,
        responses=ComparisonSerializer,
    )
    def list(self, request: Request) -> Response:
        unknown = set(request.query_params) - NAMES
        if unknown:
            raise exceptions.ValidationError(
                {name: [_("There is no such filter.")] for name in sorted(unknown)}
            )
        question = question_of(request.query_params)
        if question.is_empty:
            raise exceptions.ValidationError({"run": [_("Name runs, or a plan.")]})
        return Response(comparison_data(answer(question)))


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """A comparison as JSON."""
    fill(comparison.results)
    pace, minimum = pace_of(comparison.repeats), comparison.question.minimum / 100
    known = known_of([run.pk for run in comparison.runs])
    return {
        "query": comparison.question.query(),
        "runs": [run.pk for run in comparison.runs],
        "factor": comparison.question.factor,
        "levels": list(comparison.levels),
        "baseline": comparison.baseline,
        "tested": list(comparison.tested),
        "family": comparison.family,
        "results_used": comparison.used,
        "results_left_out": dict(comparison.left_out.results),
        "cases_without_result": dict(comparison.left_out.cases),
        "summary": [_summary(line) for line in summaries(comparison)],
        "workloads": [
            _workload(result, known, _could(result, pace, minimum)) for result in comparison.results
        ],
    }


def _summary(line: Summary) -> dict[str, Any]:
    return {
        "name": line.label, "where": line.where, "level": line.level, "metric": line.metric,
        "verdict": line.kind, "sentence": " ".join(filter(None, (line.sentence, line.also))),
    }  # fmt: skip


def _workload(result: Result, known: Known, could: Iterable[dict[str, Any]]) -> dict[str, Any]:
    group = result.group
    return {
        "workload": group.workload,
        "name": group.label,
        "operation": group.operation,
        "where": group.where,
        "main": result.main,
        "differing_factors": [
            {"level": pair.level, "name": d.name, "baseline_has": d.a, "level_has": d.b}
            for pair in result.pairs
            for d in pair.differing
        ],
        "could_have_shown": list(could),
        "drifts": list(result.drifts),
        "cells": [_cell(line, entry) for line in result.lines for entry in line.entries],
        "expectations": [
            {**held_data(held), "operation": group.operation, "level": level}
            for level, many in sides_held(known, result.repeats, group).items()
            for held in many
        ],
    }


def _could(result: Result, pace: float | None, minimum: float) -> Iterator[dict[str, Any]]:
    for number, pair in enumerate(result.pairs):
        one = could_have(result, number, pace, minimum)
        if one is not None:
            yield {
                "level": pair.level, "least": one.least, "wanted": one.wanted,
                "more_repeats": one.more, "seconds": one.seconds,
            }  # fmt: skip


def _cell(line: Line, entry: Entry) -> dict[str, Any]:
    verdict, effect = entry.verdict, entry.effect
    return {
        "metric": line.metric,
        "level": entry.level,
        "baseline_values": listed(entry.a),
        "values": listed(entry.b),
        "effect": {"ratio": effect.ratio, "low": effect.low, "high": effect.high},
        "p": verdict.p if verdict else None,
        "p_corrected": verdict.p_adjusted if verdict else None,
        "verdict": kind_of(verdict),
        "sentence": sentence(verdict),
    }


router_entries = [("compare", CompareViewSet)]

"""Serializers of analysis results; values in canonical units."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.analysis.presenters.table_cells import canonical_unit
from apps.analysis.queries.selection_json import selection_as_json
from apps.common.domain.verdicts import COMPARISON_VERDICTS


class CanonicalUnitField(serializers.CharField):
    def to_representation(self, value: Any) -> str:
        return canonical_unit(value)


class SelectionField(serializers.DictField):
    def to_representation(self, value: Any) -> dict[str, object]:
        return selection_as_json(value.view, value.query)


class FindingSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(
        source="kind", choices=[kind.value for kind in COMPARISON_VERDICTS]
    )
    text = serializers.CharField()


class ColumnSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.CharField(
        help_text="text, metric, number, ratio, chance (a p-value), verdict or moment."
    )
    unit = CanonicalUnitField(source="*", help_text="Canonical: bytes/s, 1/s, ns, bytes, %, ratio.")
    metric = serializers.CharField()


class TableSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    columns = ColumnSerializer(many=True)
    rows = serializers.ListField(
        source="cells",
        child=serializers.ListField(child=serializers.JSONField(allow_null=True)),
        help_text="A cell a column, in its order.",
    )
    cases = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="The case that a row leads to."
    )
    note = serializers.CharField()


class FigureSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    figure = serializers.DictField(help_text="Plotly's data and layout.")


class BasisItemSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    text = serializers.CharField()


class LinkSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    address = serializers.CharField()


@extend_schema_serializer(many=False)  # one result, though the address is a list's
class AnalysisResultSerializer(serializers.Serializer[Any]):
    view = serializers.CharField()
    title = serializers.CharField()
    subject = serializers.CharField(help_text="Properties that all results share.")
    query = serializers.CharField(help_text="The query in canonical form.")
    selection = SelectionField(
        source="*",
        help_text="The selection of the query, as JSON.",
    )
    empty = serializers.CharField(help_text="Why there is nothing to show.")
    headline = serializers.CharField(source="headline_text")
    verdicts = FindingSerializer(many=True)
    tables = TableSerializer(many=True)
    figures = FigureSerializer(many=True, source="charts")
    notes = serializers.ListField(child=serializers.CharField())
    basis = BasisItemSerializer(many=True)
    next_steps = LinkSerializer(many=True)
    links = LinkSerializer(many=True)

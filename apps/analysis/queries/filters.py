"""Form and filter of a selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_filters as filters
from django import forms
from django.db.models import Model, Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from apps.accounts.models import User
from apps.analysis.queries.errors import query_error
from apps.analysis.queries.fields import (
    ANY,
    MultiPickFilter,
    NumbersFilter,
    RangesFilter,
    TextsFilter,
    TuningsFilter,
)
from apps.analysis.queries.ranges import ParameterRange, workloads_within
from apps.analysis.queries.selection import EVERYTHING, PARTS, Selection, is_number
from apps.common.filters import UtcDateTimeFilter
from apps.inventory.models import Disk, Host, Target
from apps.plans.models import TestPlan, Workload
from apps.results.models import ResultSummary
from apps.runs.models import Case, Run, RunTuning
from apps.tools.registry import TOOLS

SPARE = ("plan", "tool", "param", "tag", "model", "owner", "imported")
"""Fields that a form collapses while empty."""
EITHER = [("", lazy("either")), ("true", lazy("yes")), ("false", lazy("no"))]
Rows = QuerySet[ResultSummary]


def _row_filter(model: type[Model], label: Any) -> NumbersFilter:
    return NumbersFilter(queryset=model._default_manager.all(), method="with_rows", label=label)


def _multi_pick(model: type[Model], kind: str, by: str, label: Any) -> MultiPickFilter:
    rows = model._default_manager.all()
    return MultiPickFilter(queryset=rows, kind=kind, by=by, method="with_rows", label=label)


_COLUMNS = {"plan": "run__plan", "owner": "run__owner"}
"""Columns whose names differ from those of the query."""


class SelectionFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    """Results of a selection; `Selection` documents each part."""

    run = _row_filter(Run, lazy("Runs"))
    case = _row_filter(Case, lazy("Tests"))
    workload = filters.ModelMultipleChoiceFilter(
        queryset=Workload.objects.all(),
        to_field_name="key",
        method="with_rows",
        label=lazy("Workload key"),
        widget=forms.MultipleHiddenInput,
    )
    target = _row_filter(Target, lazy("Target"))
    host = _multi_pick(Host, "hosts", "name", lazy("Host"))
    tuning = TuningsFilter(method="with_tunings", label=lazy("Tuning"))
    after = UtcDateTimeFilter(
        field_name="measured_at", lookup_expr="gte", label=lazy("Measured after")
    )
    before = UtcDateTimeFilter(
        field_name="measured_at", lookup_expr="lt", label=lazy("Measured before")
    )
    plan = _multi_pick(TestPlan, "plans", "name", lazy("Plan"))
    tool = filters.MultipleChoiceFilter(
        choices=lambda: [(name, name) for name in TOOLS],
        method="with_tools",
        label=lazy("Tool"),
        widget=forms.SelectMultiple(attrs=ANY),
    )
    param = RangesFilter(method="with_params", label=lazy("Parameter (iodepth:1..32)"))
    tag = TextsFilter(method="with_tags", label=lazy("Tag of run, host or disk"))
    model = TextsFilter(method="with_models", label=lazy("Disk model"))
    owner = _multi_pick(User, "people", "username", lazy("Owner"))
    imported = filters.BooleanFilter(label=lazy("Imported"), widget=forms.Select(choices=EITHER))

    class Meta:
        model = ResultSummary
        fields: list[str] = []

    @property
    def selection(self) -> Selection:
        """Return the selection; empty if the form is invalid."""
        if not self.form.is_valid():
            return EVERYTHING
        chosen = self.form.cleaned_data
        return Selection(**{name: _part(chosen[name]) for name in PARTS if name in chosen})

    @property
    def single_workload(self) -> Workload | None:
        """Return the workload of the selection, None for several or none."""
        result: Workload | None = _single(self.form.cleaned_data.get("workload"))
        return result

    @property
    def single_target(self) -> Target | None:
        """Return the target of the selection, None for several or none."""
        result: Target | None = _single(self.form.cleaned_data.get("target"))
        return result

    @property
    def spare_fields(self) -> list[forms.BoundField]:
        """Return the collapsed fields."""
        return [self.form[name] for name in SPARE if name in self.form.fields]

    @property
    def narrowing_fields(self) -> list[forms.BoundField]:
        """Return the fields for a form with its own field of runs."""
        dates = [self.form[name] for name in ("after", "before")]
        return [field for field in (*self.spare_fields, *dates) if field.name != "plan"]

    @property
    def unseen(self) -> list[tuple[str, str]]:
        """Return names and values without a field among `narrowing_fields`."""
        shown = {field.name for field in self.narrowing_fields}
        return [pair for pair in self.selection.pairs() if pair[0] not in shown]

    @property
    def spare_given(self) -> bool:
        """Return True if a collapsed field has a value."""
        return any(self.data.get(name) for name in SPARE)

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """Return the fields that are always visible."""
        return [field for field in self.form.visible_fields() if field.name not in SPARE]

    @extend_schema_field(OpenApiTypes.INT)
    def with_rows(self, rows: Rows, name: str, value: Sequence[Model]) -> Rows:
        return rows.filter(**{f"{_COLUMNS.get(name, name)}__in": _keys(value)}) if value else rows

    def with_tunings(self, rows: Rows, name: str, value: Sequence[str]) -> Rows:
        """Filter by profile, whatever its name at launch, or by name, whatever its settings."""
        if not value:
            return rows
        keys = [int(text) for text in value if is_number(text)]
        names = [text for text in value if not is_number(text)]
        named = RunTuning.objects.filter(name__in=names).order_by().values("pk")
        if not names:
            return rows.filter(tuning__in=keys)
        return rows.filter(Q(tuning__in=keys) | Q(run_tuning__in=named))

    def with_tools(self, rows: Rows, name: str, value: Sequence[str]) -> Rows:
        return rows.filter(workload__tool__in=value) if value else rows

    def with_params(self, rows: Rows, name: str, value: Sequence[ParameterRange]) -> Rows:
        return rows.filter(workload__in=workloads_within(value).values("pk")) if value else rows

    def with_tags(self, rows: Rows, name: str, value: Sequence[str]) -> Rows:
        hosts = Host.objects.filter(tags__overlap=list(value)).order_by().values("pk")
        runs = Run.objects.filter(tags__overlap=list(value)).order_by().values("pk")
        disks = Disk.objects.filter(tags__overlap=list(value), target__isnull=False).order_by()
        of = Q(host__in=hosts) | Q(run__in=runs) | Q(target__in=disks.values("target"))
        return rows.filter(of) if value else rows

    def with_models(self, rows: Rows, name: str, value: Sequence[str]) -> Rows:
        """Filter by disk model as last seen."""
        disks = Disk.objects.filter(model__name__in=value, target__isnull=False).order_by()
        return rows.filter(target__in=disks.values("target")) if value else rows

    def keep_all(self, rows: Rows, name: str, value: object) -> Rows:
        """Return all rows, for options that are no filters."""
        return rows


def selection_of(data: QueryDict) -> Selection:
    """Parse the selection of a query, ignoring other names. Raises: ServiceError (400)."""
    form = SelectionFilter(data, queryset=ResultSummary.objects.none())
    if not form.form.is_valid():
        raise query_error(form.form.errors)
    return form.selection


def narrowed(rows: Rows, selection: Selection) -> Rows:
    """Return the rows of a selection."""
    if selection.is_empty:
        return rows
    result: Rows = SelectionFilter(QueryDict(selection.urlencode()), queryset=rows).qs
    return result


def _part(value: Any) -> Any:
    """Convert a cleaned value to a part of a selection."""
    if isinstance(value, QuerySet | list):
        rows = list(value)
        return tuple(sorted(row.key if isinstance(row, Workload) else _key(row) for row in rows))
    return value


def _key(row: Any) -> Any:
    return row.pk if isinstance(row, Model) else row


def _keys(rows: Sequence[Model]) -> list[Any]:
    return [row.pk for row in rows]


def _single(rows: Any) -> Any:
    result = list(rows or ())
    return result[0] if len(result) == 1 else None

"""Filters of measurements and series for pages and the API."""

from __future__ import annotations

import django_filters as filters
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from apps.common.domain.verdicts import VerdictKind
from apps.inventory.models import Disk, Host, Target
from apps.plans.models import TestPlan, Workload
from apps.results.models import Measurement, ResultSummary, Series
from apps.results.selectors.members import own_results
from apps.runs.models import Attempt, Case, Run
from apps.runs.selectors.participation import cases_on_hosts, cases_on_target
from apps.tools.metrics import COLUMNS, COMPARISON_METRICS, METRICS
from apps.tuning.models import TuningProfile


class MeasurementFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    run = filters.ModelChoiceFilter(
        queryset=Run.objects.all(), field_name="case__run", label=_("Run")
    )
    plan = filters.ModelChoiceFilter(
        queryset=TestPlan.objects.all(), field_name="case__run__plan", label=_("Plan")
    )
    case = filters.ModelChoiceFilter(queryset=Case.objects.all(), label=_("Case"))
    workload = filters.ModelChoiceFilter(
        queryset=Workload.objects.all(),
        to_field_name="key",
        label=_("Workload key"),
    )
    host = filters.ModelChoiceFilter(
        queryset=Host.objects.all(), method="with_host", label=_("Host")
    )
    target_name = filters.CharFilter(
        field_name="case__run_target__name", lookup_expr="icontains", label=_("Target contains")
    )
    target = filters.ModelChoiceFilter(
        queryset=Target.objects.all(), method="with_target", label=_("Target or part of a target")
    )
    of_disk = filters.ModelChoiceFilter(
        queryset=Disk.objects.all(),
        method="with_own",
        label=_("The disk's own figures: the whole where it was tested alone, else its share"),
    )
    tuning = filters.ModelChoiceFilter(
        queryset=TuningProfile.objects.all(),
        field_name="case__run_tuning__tuning",
        label=_("Tuning"),
    )
    operation = filters.CharFilter(label=_("Operation"))
    components = filters.BooleanFilter(
        method="with_components", label=_("Also the shares of hosts, disks and directories")
    )
    valid = filters.BooleanFilter(label=_("Valid"))
    missed = filters.BooleanFilter(
        method="with_missed", label=_("Missed what was expected; false: met it")
    )

    class Meta:
        model = Measurement
        fields: list[str] = []

    def with_host(
        self, rows: QuerySet[Measurement], name: str, value: Host | None
    ) -> QuerySet[Measurement]:
        return rows.filter(cases_on_hosts([value.pk], "case__")) if value else rows

    @extend_schema_field(OpenApiTypes.INT)
    def with_target(
        self, rows: QuerySet[Measurement], name: str, value: Target | None
    ) -> QuerySet[Measurement]:
        return rows.filter(cases_on_target(value, "case__")) if value else rows

    @extend_schema_field(OpenApiTypes.INT)
    def with_own(
        self, rows: QuerySet[Measurement], name: str, value: Disk | None
    ) -> QuerySet[Measurement]:
        return rows.filter(own_results(value)) if value else rows

    def with_missed(
        self, rows: QuerySet[Measurement], _name: str, value: bool
    ) -> QuerySet[Measurement]:
        verdict = VerdictKind.MISSED if value else VerdictKind.MET
        result = ResultSummary.objects.filter(expectation_verdict=verdict).order_by()
        return rows.filter(pk__in=result.values("pk"))

    def with_components(
        self, rows: QuerySet[Measurement], _name: str, wanted: bool
    ) -> QuerySet[Measurement]:
        return rows if wanted else rows.filter(component="")


def _bounds() -> dict[str, filters.NumberFilter]:
    """Return filters of the worse side of comparison metrics: `least_iops`, `most_latency_p99`."""
    result = {}
    for metric in (METRICS[key] for key in COLUMNS if key in COMPARISON_METRICS):
        higher = metric.higher_is_better
        words = _("{metric} from, {unit}") if higher else _("{metric} up to, {unit}")
        result[f"{'least' if higher else 'most'}_{metric.key}"] = filters.NumberFilter(
            field_name=metric.key,
            lookup_expr="gte" if higher else "lte",
            label=format_lazy(words, metric=_(metric.label), unit=metric.unit),
        )
    return result


MeasurementFilter.base_filters.update(_bounds())


class SeriesFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    attempt = filters.ModelChoiceFilter(queryset=Attempt.objects.all(), label=_("Attempt"))
    case = filters.ModelChoiceFilter(
        queryset=Case.objects.all(), field_name="attempt__case", label=_("Case")
    )
    run = filters.ModelChoiceFilter(queryset=Run.objects.all(), label=_("Run"))
    source = filters.ChoiceFilter(choices=Series.Source.choices, label=_("Source"))
    component = filters.CharFilter(label=_("Component"))
    subject = filters.CharFilter(label=_("Operation or device"))
    metric = filters.CharFilter(label=_("Metric"))

    class Meta:
        model = Series
        fields: list[str] = []

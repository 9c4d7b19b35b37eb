"""Filters of runs and cases for pages and the API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django import forms
from django.db.models import DurationField, Exists, ExpressionWrapper, F, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from apps.accounts.models import User
from apps.common.database.natural_order import natural_order
from apps.common.domain.verdicts import VerdictKind
from apps.common.filters import AutocompleteFilter, UtcDateTimeFilter
from apps.common.web.lists import ListColumn
from apps.inventory.models import Host, Target
from apps.plans.models import TestPlan, Workload
from apps.runs.models import Case, CaseState, Origin, Run, RunState, RunTargetMember
from apps.runs.selectors.participation import cases_on_hosts, cases_on_target
from apps.tuning.models import TuningProfile

ANY = _("any")
TOOK = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
APPROVAL_COLUMNS = (
    ListColumn("run", _("Run"), "run"),
    ListColumn("policies", _("Policies")),
    ListColumn("owner", _("Launched by"), "run__owner__username"),
    ListColumn("created", _("Waiting since"), "created_at"),
)
POLICY_COLUMNS = (
    ListColumn("name", _("Name"), natural_order("name")),
    ListColumn("scope", _("Runs")),
    ListColumn("acts", _("Acts")),
    ListColumn("on", _("On"), "enabled"),
)
RUN_COLUMNS = (
    ListColumn("number", "#", "pk", is_number=True),
    ListColumn("name", _("Run"), natural_order("name")),
    ListColumn("state", _("State"), "state"),
    ListColumn("result", _("Result")),
    ListColumn("cases", _("Cases"), "case_count", is_number=True),
    ListColumn("hosts", _("Hosts")),
    ListColumn("owner", _("Owner"), "owner__username"),
    ListColumn("launched", _("Launched"), "queued_at"),
    ListColumn("took", _("Took"), TOOK, is_number=True),
)
picker = forms.SelectMultiple(attrs={"data-autocomplete": "", "data-placeholder": ANY})


def unarchived(rows: QuerySet[Run]) -> QuerySet[Run]:
    return rows.filter(archived_at=None)


class RunFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    name = filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    state = filters.MultipleChoiceFilter(choices=RunState.choices, label=_("State"), widget=picker)
    origin = filters.ChoiceFilter(choices=Origin.choices, label=_("Origin"), empty_label=ANY)
    plan = AutocompleteFilter(
        queryset=TestPlan.objects.all(), kind="plans", by="name", label=_("Plan")
    )
    owner = AutocompleteFilter(
        queryset=User.objects.all(), kind="people", by="username", label=_("Owner")
    )
    host = AutocompleteFilter(
        queryset=Host.objects.all(), kind="hosts", by="name", method="with_host", label=_("Host")
    )
    tag = filters.CharFilter(method="with_tag", label=_("Tag"))
    missed = filters.BooleanFilter(
        method="with_missed", label=_("Missed an expectation"), widget=forms.CheckboxInput
    )
    archived = filters.BooleanFilter(
        label=_("Show archived"), method="with_archived", widget=forms.CheckboxInput
    )
    queued_after = UtcDateTimeFilter(
        field_name="queued_at", lookup_expr="gte", label=_("Launched after")
    )
    queued_before = UtcDateTimeFilter(
        field_name="queued_at", lookup_expr="lt", label=_("Launched before")
    )

    class Meta:
        model = Run
        fields: list[str] = []

    def with_tag(self, rows: QuerySet[Run], name: str, value: str) -> QuerySet[Run]:
        return rows.filter(tags__contains=[value.strip()]) if value.strip() else rows

    def with_missed(self, rows: QuerySet[Run], name: str, value: bool | None) -> QuerySet[Run]:
        """Return runs with a case that missed an expectation."""
        if not value:
            return rows
        return rows.filter(pk__in=cases_that_missed(True).values("run_id"))

    def with_archived(self, rows: QuerySet[Run], name: str, value: bool | None) -> QuerySet[Run]:
        return rows if value else unarchived(rows)

    def filter_queryset(self, queryset: QuerySet[Run]) -> QuerySet[Run]:
        """Filter; hide archived runs by default."""
        rows: QuerySet[Run] = super().filter_queryset(queryset)
        return rows if self.form.cleaned_data.get("archived") else unarchived(rows)

    def with_host(self, rows: QuerySet[Run], name: str, value: Host | None) -> QuerySet[Run]:
        """Return runs with a member on the host; EXISTS avoids sorting all runs."""
        if value is None:
            return rows
        return rows.filter(
            Exists(RunTargetMember.objects.filter(host=value, run_target__run=OuterRef("pk")))
        )


def cases_that_missed(missed: bool) -> QuerySet[Any]:
    """Return the ids of cases with a result that missed, or met, its expectations.

    Reads the result summaries, which are above this app, through the relation.
    """
    summary = Case._meta.get_field("summaries").related_model
    rows: QuerySet[Any] = summary._default_manager.filter(
        expectation_verdict=VerdictKind.MISSED if missed else VerdictKind.MET
    )
    return rows.order_by().values("case_id")


class CaseFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    run = filters.ModelChoiceFilter(queryset=Run.objects.all(), label=_("Run"))
    state = filters.MultipleChoiceFilter(choices=CaseState.choices, label=_("State"))
    workload = filters.ModelChoiceFilter(
        queryset=Workload.objects.all(), to_field_name="key", label=_("Workload key")
    )
    host = filters.ModelChoiceFilter(
        queryset=Host.objects.all(), method="with_host", label=_("Host")
    )
    target = filters.ModelChoiceFilter(
        queryset=Target.objects.all(), method="with_target", label=_("Target or part of a target")
    )
    target_name = filters.CharFilter(
        field_name="run_target__name", lookup_expr="icontains", label=_("Target contains")
    )
    tuning = filters.ModelChoiceFilter(
        queryset=TuningProfile.objects.all(), field_name="run_tuning__tuning", label=_("Tuning")
    )
    tool = filters.CharFilter(field_name="workload__tool", label=_("Tool"))
    missed = filters.BooleanFilter(
        method="with_missed", label=_("Missed what was expected; false: met all of it")
    )

    class Meta:
        model = Case
        fields: list[str] = []

    def with_missed(self, rows: QuerySet[Case], name: str, value: bool) -> QuerySet[Case]:
        missed, met = cases_that_missed(True), cases_that_missed(False)
        return (
            rows.filter(pk__in=missed) if value else rows.filter(pk__in=met).exclude(pk__in=missed)
        )

    def with_host(self, rows: QuerySet[Case], name: str, value: Host | None) -> QuerySet[Case]:
        return rows.filter(cases_on_hosts([value.pk])) if value else rows

    @extend_schema_field(OpenApiTypes.INT)
    def with_target(self, rows: QuerySet[Case], name: str, value: Target | None) -> QuerySet[Case]:
        return rows.filter(cases_on_target(value)) if value else rows

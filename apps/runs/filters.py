"""The filters of runs and cases, the same for pages and the API."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.inventory.models import Disk, Host
from apps.plans.models import TestPlan, Workload
from apps.runs.models import Case, CaseState, Run, RunState
from apps.tuning.models import TuningProfile

picker = forms.SelectMultiple(attrs={"data-picker": ""})


class RunFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    name = filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    state = filters.MultipleChoiceFilter(choices=RunState.choices, label=_("State"), widget=picker)
    plan = filters.ModelChoiceFilter(queryset=TestPlan.objects.all(), label=_("Plan"))
    owner = filters.ModelChoiceFilter(queryset=User.objects.order_by("username"), label=_("Owner"))
    host = filters.ModelChoiceFilter(
        queryset=Host.objects.all(), method="with_host", label=_("Host")
    )
    queued_after = filters.IsoDateTimeFilter(
        field_name="queued_at", lookup_expr="gte", label=_("Launched after (UTC)")
    )
    queued_before = filters.IsoDateTimeFilter(
        field_name="queued_at", lookup_expr="lt", label=_("Launched before (UTC)")
    )

    class Meta:
        model = Run
        fields: list[str] = []

    def with_host(self, rows: QuerySet[Run], name: str, value: Host | None) -> QuerySet[Run]:
        """Runs with a case on the host: asked row by row, so no list of all runs is sorted."""
        cases = Case.objects.filter(run=OuterRef("pk"), host=value)
        return rows.filter(Exists(cases)) if value else rows


class CaseFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    run = filters.ModelChoiceFilter(queryset=Run.objects.all(), label=_("Run"))
    state = filters.MultipleChoiceFilter(choices=CaseState.choices, label=_("State"))
    workload = filters.ModelChoiceFilter(
        queryset=Workload.objects.all(), to_field_name="key", label=_("Workload key")
    )
    host = filters.ModelChoiceFilter(queryset=Host.objects.all(), label=_("Host"))
    disk = filters.ModelChoiceFilter(queryset=Disk.objects.all(), label=_("Disk"))
    tuning = filters.ModelChoiceFilter(queryset=TuningProfile.objects.all(), label=_("Tuning"))
    tool = filters.CharFilter(label=_("Tool"))

    class Meta:
        model = Case
        fields: list[str] = []

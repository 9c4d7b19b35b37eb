"""The filters of runs and cases, the same for pages and the API."""

from __future__ import annotations

import django_filters as filters
from django import forms
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.common.pick import PickFilter
from apps.inventory.models import Disk, Host, HostPair, Pool, TargetGroup
from apps.plans.models import TestPlan, Workload
from apps.runs.models import Case, CaseState, Origin, Run, RunState
from apps.tuning.models import TuningProfile

ALL = _("all")
picker = forms.SelectMultiple(attrs={"data-picker": ""})


class RunFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    name = filters.CharFilter(lookup_expr="icontains", label=_("Name contains"))
    state = filters.MultipleChoiceFilter(choices=RunState.choices, label=_("State"), widget=picker)
    origin = filters.ChoiceFilter(choices=Origin.choices, label=_("Origin"), empty_label=ALL)
    plan = PickFilter(queryset=TestPlan.objects.all(), kind="plans", by="name", label=_("Plan"))
    owner = PickFilter(queryset=User.objects.all(), kind="people", by="username", label=_("Owner"))
    host = PickFilter(
        queryset=Host.objects.all(), kind="hosts", by="name", method="with_host", label=_("Host")
    )
    archived = filters.BooleanFilter(
        label=_("Show archived"), method="with_archived", widget=forms.CheckboxInput
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

    def with_archived(self, rows: QuerySet[Run], name: str, value: bool | None) -> QuerySet[Run]:
        return rows if value else rows.filter(archived_at=None)

    def filter_queryset(self, queryset: QuerySet[Run]) -> QuerySet[Run]:
        """Archived runs are hidden also when nobody asked about them."""
        rows: QuerySet[Run] = super().filter_queryset(queryset)
        return rows if self.form.cleaned_data.get("archived") else rows.filter(archived_at=None)

    def with_host(self, rows: QuerySet[Run], name: str, value: Host | None) -> QuerySet[Run]:
        """Runs with a case on the host: asked row by row, so no list of all runs is sorted."""
        if value is None:
            return rows
        return rows.filter(Exists(Case.objects.filter(takes_part(value), run=OuterRef("pk"))))


def takes_part(host: Host) -> Q:
    """Cases in which the host does anything."""
    return Q(host=host) | Q(hosts__contains=[host.pk])


class CaseFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    run = filters.ModelChoiceFilter(queryset=Run.objects.all(), label=_("Run"))
    state = filters.MultipleChoiceFilter(choices=CaseState.choices, label=_("State"))
    workload = filters.ModelChoiceFilter(
        queryset=Workload.objects.all(), to_field_name="key", label=_("Workload key")
    )
    host = filters.ModelChoiceFilter(
        queryset=Host.objects.all(), method="with_host", label=_("Host")
    )
    disk = filters.ModelChoiceFilter(queryset=Disk.objects.all(), label=_("Disk"))
    pool = filters.ModelChoiceFilter(queryset=Pool.objects.all(), label=_("Pool"))
    pair = filters.ModelChoiceFilter(queryset=HostPair.objects.all(), label=_("Pair of hosts"))
    group = filters.ModelChoiceFilter(queryset=TargetGroup.objects.all(), label=_("Group"))
    target = filters.CharFilter(
        field_name="target_name", lookup_expr="icontains", label=_("Target contains")
    )
    tuning = filters.ModelChoiceFilter(queryset=TuningProfile.objects.all(), label=_("Tuning"))
    tool = filters.CharFilter(label=_("Tool"))

    class Meta:
        model = Case
        fields: list[str] = []

    def with_host(self, rows: QuerySet[Case], name: str, value: Host | None) -> QuerySet[Case]:
        return rows.filter(takes_part(value)) if value else rows

"""Parameters of a history: the same for the page and the API."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django import forms
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from apps.common.moments import MomentFilter
from apps.common.pick import PickFilter
from apps.inventory.models import Directory, Disk, Host, HostPair, Pool, TargetGroup
from apps.plans.models import Workload
from apps.results.models import Figure
from apps.tools.metrics import COLUMNS, METRICS, OVER_TIME, in_order
from apps.tuning.models import TuningProfile

KINDS: dict[str, type[Model]] = {
    "disk": Disk,
    "directory": Directory,
    "pool": Pool,
    "pair": HostPair,
    "group": TargetGroup,
}
"""The parameters that name a target, and whose numbers they take."""


def _of_target(model: type[Model], label: Any) -> filters.ModelChoiceFilter:
    return filters.ModelChoiceFilter(
        queryset=model._default_manager.all(),
        method="with_target",
        label=label,
        widget=forms.HiddenInput,
    )


class HistoryFilter(filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    """Figures that count in comparisons. Metric and operation choose among them: those that were
    measured are known only from the figures (`selectors.measured_of`).
    """

    workload = filters.ModelChoiceFilter(
        queryset=Workload.objects.all(),
        to_field_name="key",
        label=_("Workload key"),
        widget=forms.HiddenInput,
    )
    disk = _of_target(Disk, _("Disk"))
    directory = _of_target(Directory, _("Directory"))
    pool = _of_target(Pool, _("Pool"))
    pair = _of_target(HostPair, _("Pair of hosts"))
    group = _of_target(TargetGroup, _("Group"))
    metric = filters.ChoiceFilter(
        choices=[(key, METRICS[key].label) for key in in_order((*COLUMNS, *OVER_TIME))],
        method="as_they_are",
        label=_("Metric"),
        empty_label=None,
    )
    operation = filters.CharFilter(method="as_they_are", label=_("Operation"))
    host = PickFilter(queryset=Host.objects.all(), kind="hosts", by="name", label=_("Host"))
    tuning = filters.ModelChoiceFilter(
        queryset=TuningProfile.objects.order_by("name"), label=_("Tuning"), empty_label=_("all")
    )
    after = MomentFilter(field_name="at", lookup_expr="gte", label=_("From (UTC)"))
    before = MomentFilter(field_name="at", lookup_expr="lt", label=_("Before (UTC)"))

    class Meta:
        model = Figure
        fields: list[str] = []

    @property
    def target(self) -> Model | None:
        """The disk, pool ... that is asked for; the first one of several."""
        found = (self.form.cleaned_data.get(kind) for kind in KINDS)
        return next((row for row in found if row is not None), None)

    @extend_schema_field(OpenApiTypes.INT)
    def with_target(self, rows: QuerySet[Figure], name: str, value: Any) -> QuerySet[Figure]:
        """A row of the lab that nothing was run on has no target yet, and no figures."""
        if value is None:
            return rows
        return rows.filter(target=value.target_id) if value.target_id else rows.none()

    def as_they_are(self, rows: QuerySet[Figure], name: str, value: str) -> QuerySet[Figure]:
        return rows

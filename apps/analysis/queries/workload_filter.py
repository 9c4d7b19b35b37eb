"""Filter of the results of one workload, for the views that show it and for alerts."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.filters import SelectionFilter
from apps.tools.metrics import COLUMNS, METRICS, OVER_TIME, in_order


class WorkloadFilter(SelectionFilter):
    """Comparable results of a workload. Metric and operation are choices, not filters.

    The measured ones are known from the results only (`workloads.measured_operations`).
    """

    metric = filters.ChoiceFilter(
        choices=[(key, _(METRICS[key].label)) for key in in_order((*COLUMNS, *OVER_TIME))],
        method="keep_all",
        label=_("Metric"),
        empty_label=None,
    )
    operation = filters.CharFilter(method="keep_all", label=_("Operation"))

"""Parameters of a history: the same for the page and the API."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.filters import SelectionFilter
from apps.tools.metrics import COLUMNS, METRICS, OVER_TIME, in_order


class WorkloadFilter(SelectionFilter):
    """Figures that count in comparisons. Metric and operation choose among them: those that were
    measured are known only from the figures (`selectors.measured_of`).
    """

    metric = filters.ChoiceFilter(
        choices=[(key, METRICS[key].label) for key in in_order((*COLUMNS, *OVER_TIME))],
        method="keep_all",
        label=_("Metric"),
        empty_label=None,
    )
    operation = filters.CharFilter(method="keep_all", label=_("Operation"))

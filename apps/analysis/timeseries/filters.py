"""Filter of time series: tests, and the seconds to show."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.workload_filter import WorkloadFilter


class TimeFilter(WorkloadFilter):
    """Results whose tests are overlaid; `start` and `end` filter nothing."""

    metric = None
    start = filters.NumberFilter(method="keep_all", label=_("From second"))
    end = filters.NumberFilter(method="keep_all", label=_("To second"))

    @property
    def window(self) -> tuple[float | None, float | None]:
        """Return seconds after the tool's start, None if open."""
        first, last = self.form.cleaned_data["start"], self.form.cleaned_data["end"]
        return (
            None if first is None else float(first),
            None if last is None else float(last),
        )

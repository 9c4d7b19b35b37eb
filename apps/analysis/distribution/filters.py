"""Filter of the distribution view: results, grouping, percentiles."""

from __future__ import annotations

import re

import django_filters as filters
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.tools.metrics import TAIL, with_percentiles

BY = {
    "differing": _("all that differs"),
    "workload": _("workload"),
    "tuning": _("effective tuning"),
    "target": _("target"),
    "run": _("run"),
    "case": _("test"),
    "nothing": _("nothing: one of all"),
}
"""Property by which results are grouped; operations are never merged."""
USUAL = with_percentiles(*TAIL[:-1])
_PERCENTILE = re.compile(r"\d{1,2}(\.\d{1,6})?")
MAX_PERCENTILES = 20


def _percentiles(text: str) -> None:
    names = [name.strip() for name in text.split(",")]
    if len(names) > MAX_PERCENTILES or not all(_PERCENTILE.fullmatch(name, 0) for name in names):
        raise ValidationError(_("Write percentiles from 0 to 99.999999, such as 50, 99.95."))


class DistributionFilter(WorkloadFilter):
    """Results whose histograms are summed."""

    metric = None
    by = filters.ChoiceFilter(
        choices=list(BY.items()),
        method="keep_all",
        label=_("A curve for each"),
        empty_label=None,
    )
    percentile = filters.CharFilter(
        method="keep_all", label=_("Percentiles"), validators=[_percentiles]
    )

    @property
    def grouping(self) -> str:
        """Return the grouping, a key of BY."""
        return str(self.form.cleaned_data["by"] or "differing")

    @property
    def percentiles(self) -> tuple[str, ...]:
        """Return the percentiles of the table, ascending."""
        text = self.form.cleaned_data["percentile"]
        names = {name.strip() for name in text.split(",")} if text else set(USUAL)
        return tuple(sorted(names, key=float))

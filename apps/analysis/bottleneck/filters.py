"""Parameters of ceilings: which tests, and the level of an array that its host cannot see."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.bottleneck.array_overhead import LEVELS, ArrayOverhead
from apps.analysis.queries.workload_filter import WorkloadFilter


class BottleneckFilter(WorkloadFilter):
    """Figures of groups and pools. The level chooses nothing among them."""

    metric = None
    level = filters.ChoiceFilter(
        choices=[
            (name, ArrayOverhead(name).label or _("none: disks side by side")) for name in LEVELS
        ],
        method="as_they_are",
        label=_("Level of groups"),
        empty_label=_("as the group says"),
    )

"""Filter of the bottleneck view."""

from __future__ import annotations

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.bottleneck.array_overhead import LEVELS, ArrayOverhead
from apps.analysis.queries.workload_filter import WorkloadFilter


class BottleneckFilter(WorkloadFilter):
    """Results on groups and pools. `level` overrides the groups' RAID level and filters nothing."""

    metric = None
    level = filters.ChoiceFilter(
        choices=[
            (name, ArrayOverhead(name).label or _("none: disks side by side")) for name in LEVELS
        ],
        method="keep_all",
        label=_("Level of groups"),
        empty_label=_("level of the group"),
    )

"""Filter of the fleet view."""

from __future__ import annotations

from typing import Any

import django_filters as filters
from django.utils.translation import gettext_lazy as _

from apps.analysis.queries.workload_filter import WorkloadFilter

BY = {
    "model": _("disk model"),
    "firmware": _("disk model and firmware"),
    "slot": _("slot"),
    "host": _("host"),
    "all": _("all together"),
}
"""Properties that peers share."""


class FleetFilter(WorkloadFilter):
    """Results of one workload on all targets. `by` defines the peers and filters nothing."""

    by = filters.ChoiceFilter(
        choices=list(BY.items()),
        method="keep_all",
        label=_("Siblings have the same"),
        empty_label=None,
    )

    @property
    def peer_property(self) -> str:
        """Return the property of peers, a key of BY."""
        choice: Any = self.form.cleaned_data["by"]
        return str(choice or "model")

"""Parameters of a fleet: those of a history, and by what its targets are alike."""

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
"""Properties that siblings have in common."""


class FleetFilter(WorkloadFilter):
    """Figures of one workload on whatever it was measured. The property of siblings chooses nothing
    among them.
    """

    by = filters.ChoiceFilter(
        choices=list(BY.items()),
        method="as_they_are",
        label=_("Siblings have the same"),
        empty_label=None,
    )

    @property
    def siblings(self) -> str:
        """One of BY."""
        chosen: Any = self.form.cleaned_data["by"]
        return str(chosen or "model")

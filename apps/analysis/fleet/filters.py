"""Parameters of a fleet: those of a history, and by what its targets are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_filters as filters
from django import forms
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _

from apps.analysis.history.filters import KINDS, HistoryFilter
from apps.inventory.models import Disk
from apps.results.models import Figure

BY = {
    "model": _("disk model"),
    "firmware": _("disk model and firmware"),
    "slot": _("slot"),
    "host": _("host"),
    "all": _("all together"),
}
"""Properties that siblings have in common."""


class FleetFilter(HistoryFilter):
    """Figures of one workload on whatever it was measured. The property of siblings chooses nothing
    among them."""

    by = filters.ChoiceFilter(
        choices=list(BY.items()),
        method="as_they_are",
        label=_("Siblings have the same"),
        empty_label=None,
    )
    disk = filters.ModelMultipleChoiceFilter(
        queryset=Disk.objects.all(),
        method="of_disks",
        label=_("Only these disks"),
        widget=forms.MultipleHiddenInput,
    )
    model = filters.CharFilter(method="of_model", label=_("Only the disk model"))

    def of_disks(
        self, rows: QuerySet[Figure], name: str, value: Sequence[Disk]
    ) -> QuerySet[Figure]:
        """Of the disks that are named, if any are."""
        if not value:
            return rows
        return rows.filter(target__in=[disk.target_id for disk in value if disk.target_id])

    @property
    def target(self) -> Model | None:
        """The one disk, pool ... that is asked for; None where several disks are."""
        disks = list(self.form.cleaned_data.get("disk") or ())
        if disks:
            return disks[0] if len(disks) == 1 else None
        found = (self.form.cleaned_data.get(kind) for kind in KINDS if kind != "disk")
        return next((row for row in found if row is not None), None)

    def of_model(self, rows: QuerySet[Figure], name: str, value: str) -> QuerySet[Figure]:
        """Disks of this model, as it was when they were last seen."""
        return rows.filter(target__disk__model=value) if value else rows

    @property
    def siblings(self) -> str:
        """One of BY."""
        chosen: Any = self.form.cleaned_data["by"]
        return str(chosen or "model")

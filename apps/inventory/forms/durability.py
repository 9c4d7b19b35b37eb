"""The form of the durability page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.domain.durability import RedundantDisks

MAX_DISKS = 100_000
MAX_UNITS = 1_000


class DurabilityForm(forms.Form):
    """Redundancy, disks, failures and rebuild time, from the query string."""

    k = forms.IntegerField(
        label=_("Data units (k)"),
        min_value=1,
        max_value=MAX_UNITS,
        help_text=_("1 for copies."),
    )
    m = forms.IntegerField(
        label=_("Redundant units (m)"),
        min_value=0,
        max_value=MAX_UNITS,
        help_text=_("Losses that are survived: 2 for three copies, 1 for RAID 5."),
    )
    disks = forms.IntegerField(label=_("Disks of a group"), min_value=1, max_value=MAX_DISKS)
    domains = forms.IntegerField(
        label=_("Failure domains of a group"),
        min_value=1,
        max_value=MAX_DISKS,
        help_text=_("Hosts or racks that each hold one unit; the number of disks for a RAID."),
    )
    groups = forms.IntegerField(
        label=_("Independent groups"),
        min_value=1,
        max_value=MAX_DISKS,
        help_text=_("1 for a pool; the number of mirrors of a RAID 10."),
    )
    afr = forms.FloatField(
        label=_("Disks that fail in a year (%)"),
        min_value=0.001,
        max_value=99.0,
        help_text=_("Annual failure rate, of the vendor or of your own disks."),
    )
    rebuild_hours = forms.FloatField(
        label=_("Rebuild time (hours)"),
        min_value=0.001,
        max_value=100_000,
        help_text=_("From the failure until the data is redundant again."),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        k, m, disks, domains = (data.get(name) for name in ("k", "m", "disks", "domains"))
        if disks and domains and domains > disks:
            self.add_error("domains", _("There are at most as many failure domains as disks."))
        elif k and domains and m is not None and domains < k + m:
            text = _("k + m units need at least as many failure domains.")
            self.add_error("domains", text)
        return data

    def disks_described(self) -> RedundantDisks:
        """Return the valid input of the calculation."""
        data = self.cleaned_data
        return RedundantDisks(
            k=data["k"],
            m=data["m"],
            disks=data["disks"],
            domains=data["domains"],
            yearly_failures=data["afr"] / 100,
            rebuild_hours=data["rebuild_hours"],
            groups=data["groups"],
        )

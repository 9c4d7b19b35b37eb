"""Forms of the specified figures of disks and disk models."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.models import DiskModel
from apps.inventory.schemas.specifications import Specification

MIB = 1024.0**2


class DiskSpecificationForm(forms.Form):
    """The figures of a disk; blank: as its model."""

    sla_iops = forms.FloatField(
        label=_("Promised IOPS (operations/s)"), required=False, min_value=0.001
    )
    sla_mib = forms.FloatField(
        label=_("Promised bandwidth (MiB/s)"), required=False, min_value=0.001
    )
    seek_ms = forms.FloatField(label=_("Mean seek (ms)"), required=False, min_value=0.001)
    rotation_ms = forms.FloatField(
        label=_("Mean rotation (ms)"),
        required=False,
        min_value=0.001,
        help_text=_("Half a turn: 4.17 ms at 7,200, 3 ms at 10,000, 2 ms at 15,000 a minute."),
    )
    transfer_ms = forms.FloatField(label=_("Transfer (ms)"), required=False, min_value=0.001)

    def __init__(self, data: object = None, *, figures: Specification | None = None) -> None:
        super().__init__(data, initial=_initial(figures) if figures else None)  # type: ignore[arg-type] # a QueryDict or None
        self.groups = [
            (
                _("What its provider promises"),
                _("Drawn as a line on the charts of a sweep, with a pass or fail for each point."),
                ["sla_iops", "sla_mib"],
            ),
            (
                _("How it is built, if it spins"),
                _("1000 / (seek + rotation + transfer) random operations a second are expected."),
                ["seek_ms", "rotation_ms", "transfer_ms"],
            ),
        ]

    def values(self) -> dict[str, float | None]:
        """Return the values in canonical units."""
        data = dict(self.cleaned_data)
        mib = data.pop("sla_mib")
        return {**data, "sla_bandwidth": None if mib is None else mib * MIB}


class DiskModelForm(DiskSpecificationForm):
    """The figures of a disk model; blank: unknown."""

    vendor = forms.CharField(label=_("Vendor"), required=False, max_length=80)

    def __init__(self, data: object = None, *, model: DiskModel) -> None:
        super().__init__(data, figures=model.figures)
        self.initial = {**(self.initial or {}), "vendor": model.vendor}
        self.groups.insert(
            0,
            (
                _("The model"),
                _("For every disk of this model that has no figures of its own."),
                ["vendor"],
            ),
        )

    def draft(self) -> dict[str, Any]:
        """Return the values for `disk_model_update`."""
        values: dict[str, Any] = self.values()
        return {"vendor": values.pop("vendor"), "values": values}


def _initial(figures: Specification) -> dict[str, float | None]:
    names = ("sla_iops", "seek_ms", "rotation_ms", "transfer_ms")
    rate = figures.sla_bandwidth
    shown = {name: getattr(figures, name) for name in names}
    return {**shown, "sla_mib": None if rate is None else rate / MIB}

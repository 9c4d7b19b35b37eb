"""The form of a disk's expectation."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.models import DiskSpecification

MIB = 1024.0**2


class DiskSpecificationForm(forms.Form):
    """Blank is "nobody said"."""

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

    def __init__(self, data: object = None, *, row: DiskSpecification | None = None) -> None:
        super().__init__(data, initial=_initial(row) if row else None)  # type: ignore[arg-type] # a QueryDict or None
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
        """The typed values in canonical units."""
        data = dict(self.cleaned_data)
        mib = data.pop("sla_mib")
        return {**data, "sla_bandwidth": None if mib is None else mib * MIB}


def _initial(row: DiskSpecification) -> dict[str, float | None]:
    names = ("sla_iops", "seek_ms", "rotation_ms", "transfer_ms")
    rate = row.sla_bandwidth
    shown = {name: getattr(row, name) for name in names}
    return {**shown, "sla_mib": None if rate is None else rate / MIB}

"""Forms of the catalogue of disk models: an entry, and a pasted CSV."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.forms.pasted_list import PastedListForm, list_field
from apps.inventory.models import CatalogueEntry
from apps.inventory.schemas.catalogue import NUMBERS, TEXTS


def _number(label: Any, help_text: Any = "") -> forms.FloatField:
    return forms.FloatField(label=label, help_text=help_text, required=False, min_value=0)


class CatalogueEntryForm(forms.Form):
    """An entry; blank: not stated. Its fields have the names and units of the CSV."""

    pattern = forms.CharField(
        label=_("Model"),
        max_length=120,
        help_text=_("As disks report it; * stands for any text, ? for one character."),
    )
    kind = forms.ChoiceField(
        label=_("Kind"), required=False, choices=[("", "–"), *CatalogueEntry.Kind.choices]
    )
    capacity_bytes = forms.IntegerField(
        label=_("Capacity (bytes)"),
        required=False,
        min_value=1,
        max_value=2**62,
        help_text=_("Only disks of this size, 2 % more or less. Blank: of any size."),
    )
    source = forms.CharField(
        label=_("Source"), max_length=300, help_text=_("Where the figures come from.")
    )
    rated_terabytes_written = _number(
        _("Rated writes (TB, TBW)"), _("10^12 bytes that hosts may write in its life.")
    )
    slowest_fill_mb_per_s = _number(
        _("Slowest sane fill (MB/s)"), _("A disk that fills slower has a fault.")
    )
    over_provisioning_percent = _number(_("Over-provisioning (%)"))
    spr_op = _number(_("spr_op of fio"), _("0 to 1, as fio's sprandom takes it."))
    random_read_iops = _number(_("Random reads (operations/s)"))
    random_write_iops = _number(_("Random writes (operations/s)"))
    sequential_read_mb_per_s = _number(_("Sequential reads (MB/s)"))
    sequential_write_mb_per_s = _number(_("Sequential writes (MB/s)"))
    promised_iops = _number(_("Promised IOPS (operations/s)"))
    promised_mb_per_s = _number(_("Promised bandwidth (MB/s)"))
    seek_ms = _number(_("Mean seek (ms)"))
    rotation_ms = _number(_("Mean rotation (ms)"))
    transfer_ms = _number(_("Transfer (ms)"))

    def __init__(self, data: object = None, *, entry: CatalogueEntry | None = None) -> None:
        super().__init__(data, initial=initial_of(entry) if entry else None)  # type: ignore[arg-type] # a QueryDict or None
        self.groups = [
            (
                _("Which disks"),
                _("An array behind a RAID card has no entry."),
                ["pattern", "kind", "capacity_bytes", "source"],
            ),
            (
                _("Wear and fills"),
                "",
                [
                    "rated_terabytes_written",
                    "slowest_fill_mb_per_s",
                    "over_provisioning_percent",
                    "spr_op",
                ],
            ),
            (
                _("What its maker states"),
                _("Of a new disk, usually at a queue depth of 32 or more."),
                [
                    "random_read_iops",
                    "random_write_iops",
                    "sequential_read_mb_per_s",
                    "sequential_write_mb_per_s",
                ],
            ),
            (
                _("What is expected of a disk without figures of its own"),
                _("Used where neither the disk nor its model has a specification."),
                ["promised_iops", "promised_mb_per_s", "seek_ms", "rotation_ms", "transfer_ms"],
            ),
        ]

    def values(self) -> dict[str, Any]:
        """Return the values of the entry by field, in its units."""
        data = self.cleaned_data
        numbers = {
            column.field: None if data[column.name] is None else data[column.name] * column.factor
            for column in NUMBERS
        }
        return {**{name: data[name] for name in TEXTS}, **numbers} | {
            "capacity_bytes": data["capacity_bytes"]
        }


def initial_of(entry: CatalogueEntry) -> dict[str, object]:
    """Return the values of an entry by column of the CSV."""
    result: dict[str, object] = {name: getattr(entry, name) for name in TEXTS}
    for column in NUMBERS:
        value = getattr(entry, column.field)
        result[column.name] = (
            value if value is None or column.factor == 1.0 else value / column.factor
        )
    return result


class CatalogueImportForm(PastedListForm):
    """A CSV of entries as text or file."""

    text = list_field(
        _("Entries"),
        placeholder="pattern,rated_terabytes_written,source",
        help_text=_(
            "CSV with the columns of the export; pattern and source are needed. An entry with the "
            "same pattern and capacity is changed, others stay."
        ),
    )

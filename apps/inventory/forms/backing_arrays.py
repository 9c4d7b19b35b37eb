"""The form of the array of which a disk consists."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.inventory.schemas.backing_arrays import MAX_BYTES, MAX_DISKS, BackingArray
from apps.inventory.schemas.raid_levels import RaidLevel

KIB, MIB = 1024, 1024**2


class BackingArrayForm(forms.Form):
    """An array; without a level there is none."""

    level = forms.ChoiceField(
        label=_("Level"),
        required=False,
        choices=[("", _("none entered: as the host reports it")), *RaidLevel.choices[1:]],
    )
    disks = forms.IntegerField(
        label=_("Disks"),
        required=False,
        min_value=1,
        max_value=MAX_DISKS,
        help_text=_("All of the array, with parity and copies, without spares."),
    )
    disk_model = forms.CharField(label=_("Model of the disks"), required=False, max_length=120)
    chunk_kib = forms.IntegerField(
        label=_("Chunk (KiB)"),
        required=False,
        min_value=1,
        max_value=MAX_BYTES // KIB,
        help_text=_("Of one disk in a stripe; MegaRAID calls it the strip size."),
    )
    cache_mib = forms.IntegerField(
        label=_("Controller cache (MiB)"),
        required=False,
        min_value=1,
        max_value=MAX_BYTES // MIB,
    )
    write_policy = forms.ChoiceField(
        label=_("Write policy"),
        required=False,
        choices=[
            ("", _("unknown")),
            ("write_back", _("write back: a write ends in the cache")),
            ("write_through", _("write through: a write ends on the disks")),
        ],
    )
    battery = forms.ChoiceField(
        label=_("Battery or flash of the cache"),
        required=False,
        choices=[("", _("unknown")), ("yes", _("yes")), ("no", _("no"))],
    )

    def __init__(self, data: Any = None, *, array: BackingArray | None = None) -> None:
        super().__init__(data, initial=_initial(array) if array else None)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("level") and not data.get("disks") and "disks" not in self.errors:
            self.add_error("disks", _("An array needs the number of its disks."))
        if not data.get("level") and any(data.get(name) for name in self.fields):
            self.add_error("level", _("Choose the level; one disk behind a card is RAID 0 of 1."))
        return data

    def values(self) -> dict[str, object] | None:
        """Return the values for `disk_backing_set`."""
        data = self.cleaned_data
        if not data["level"]:
            return None
        return {
            "level": data["level"],
            "disks": data["disks"],
            "disk_model": data["disk_model"].strip(),
            "chunk_bytes": data["chunk_kib"] * KIB if data["chunk_kib"] else None,
            "cache_bytes": data["cache_mib"] * MIB if data["cache_mib"] else None,
            "write_policy": data["write_policy"],
            "battery": {"yes": True, "no": False}.get(data["battery"]),
        }


def _initial(array: BackingArray) -> dict[str, object]:
    return {
        "level": array.level,
        "disks": array.disks,
        "disk_model": array.disk_model,
        "chunk_kib": array.chunk_bytes // KIB if array.chunk_bytes else None,
        "cache_mib": array.cache_bytes // MIB if array.cache_bytes else None,
        "write_policy": array.write_policy,
        "battery": {True: "yes", False: "no"}.get(array.battery, "")
        if array.battery is not None
        else "",
    }

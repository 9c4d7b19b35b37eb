"""Parameters of dd in a plan; the terms are those of dd(1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters
from apps.tools.workload_naming import buffered, flags, operation_part, size_part

MAX_BLOCK = 1024**3
_PEBIBYTE = 1024**5
SYNCING = ("sync", "dsync", "fdatasync", "fsync")
_OPERATION_NAMES = {"read": _("sequential read"), "write": _("sequential write")}

FIELDS: Mapping[str, Field] = {
    "rw": Field(
        "choice",
        _("Direction"),
        _(
            "write copies zeros to the target and destroys what is on a disk; "
            "read copies the target "
            "to nowhere."
        ),
        choices=("write", "read"),
        role="operation",
    ),
    "bs": Field(
        "size",
        _("Block size"),
        _("Bytes per operation. Large blocks are split by the kernel (max_sectors_kb)."),
        minimum=512,
        maximum=MAX_BLOCK,
        unit=_("bytes"),
        role="block",
    ),
    "size": Field(
        "size",
        _("Size"),
        _("How much is copied, from the start of the target: a multiple of the block size."),
        minimum=512,
        maximum=_PEBIBYTE,
        unit=_("bytes"),
        role="size",
    ),
    "direct": Field(
        "flag",
        _("Direct I/O"),
        _(
            "Bypass the page cache. Without it the host's memory is measured as "
            "well; a buffered read "
            "starts with a cold page cache."
        ),
        group=_("Cache"),
    ),
    "sync": Field(
        "flag",
        _("Synchronous"),
        _("Each write waits until data and metadata are on the device (O_SYNC)."),
        group=_("Cache"),
    ),
    "dsync": Field(
        "flag",
        _("Synchronous data"),
        _("Each write waits until its data is on the device (O_DSYNC)."),
        group=_("Cache"),
    ),
    "fdatasync": Field(
        "flag",
        _("Sync at the end"),
        _("Wait at the end, inside the measured time, until all data is on the device."),
        group=_("Cache"),
    ),
    "fsync": Field(
        "flag",
        _("Sync at the end, with metadata"),
        _("The same with the file's metadata (conv=fsync)."),
        group=_("Cache"),
    ),
}


@dataclass(frozen=True)
class DdParams(PluginParams):
    """Parameters of one sequential copy with one operation in flight. Sizes in bytes."""

    table: ClassVar[Mapping[str, Field]] = FIELDS
    later: ClassVar[Parameters] = {"fsync": False}

    rw: str = "write"
    bs: int = 1024**2
    size: int = 1024**3
    direct: bool = True
    sync: bool = False
    dsync: bool = False
    fdatasync: bool = False
    fsync: bool = False

    @property
    def count(self) -> int:
        """Return the number of blocks."""
        return self.size // self.bs

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "sequential write 1 MiB, in 1 GiB"."""
        labels = {name: name for name in SYNCING}
        return (
            *operation_part(known, _OPERATION_NAMES, "rw"),
            *size_part(known, "bs", close=True),
            *buffered(known),
            *size_part(known, "size", _("in %(size)s")),
            *flags(known, **labels),
        )

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence."""
        errors: dict[str, str] = {}
        if self.size % self.bs:
            errors["size"] = message("The size must be a multiple of the block size (bs).")
        if self.direct and self.bs % 512:
            errors["bs"] = message("Direct I/O needs a multiple of 512 bytes.")
        if self.sync and self.dsync:
            errors["dsync"] = message(
                "sync already waits for the data: choose one of sync and dsync."
            )
        if self.fdatasync and self.fsync:
            errors["fsync"] = message(
                "fsync already waits for the data: choose one of fsync and fdatasync."
            )
        for name in SYNCING:
            if getattr(self, name) and self.rw == "read":
                errors[name] = message("A test that only reads has nothing to sync.")
        return errors

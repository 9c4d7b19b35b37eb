"""Parameters of mytool in a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.base import Field, Part
from apps.tools.params import format_size
from apps.tools.room_params import RoomParams
from apps.tools.words import gettext_noop as _

FIELDS: Mapping[str, Field] = {
    "operation": Field(
        "choice",
        _("Operation"),
        _("What is done with the file."),
        choices=("write", "read"),
        role="operation",
    ),
    "block": Field(
        "size",
        _("Block size"),
        _("Bytes per operation."),
        minimum=512,
        maximum=1024**3,
        unit="bytes",
        role="block",
    ),
    "depth": Field(
        "int",
        _("Queue depth"),
        _("Operations in flight."),
        minimum=1,
        maximum=1024,
        role="depth",
    ),
    "seconds": Field(
        "duration",
        _("Run time"),
        _("How long is measured."),
        minimum=1,
        maximum=86_400,
        unit="s",
        role="time",
    ),
}


@dataclass(frozen=True)
class MytoolParams(RoomParams):
    """One test. Sizes in bytes; what is not a field here cannot be asked."""

    table: ClassVar[Mapping[str, Field]] = FIELDS

    operation: str = "write"
    block: int = 4096
    depth: int = 1
    seconds: int = 60

    def parts(self) -> tuple[Part, ...]:
        """As in "write 4 KiB, depth 1"."""
        return (
            Part("operation", self.operation, self.operation),
            Part("block", self.block, format_size(self.block), close=True),
            Part("depth", self.depth, f"depth {self.depth}"),
        )

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        if self.block % 512:
            return {"block": "The block size must be a multiple of 512 bytes."}
        return {}

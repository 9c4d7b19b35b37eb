"""Parameters of mytool in a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.base import Field, Part
from apps.tools.room_params import RoomParams
from apps.tools.values import Parameters
from apps.tools.words import gettext_noop as _
from apps.tools.workloads.naming import operation_part, size_part

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

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """As in "write 4 KiB, QD 1"; an imported result may not state all of it."""
        depth = known.get("depth")
        return (
            *operation_part(known, {}, "operation"),
            *size_part(known, "block", close=True),
            *([Part("depth", depth, f"QD {depth}")] if depth is not None else ()),
        )

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        if self.block % 512:
            return {"block": "The block size must be a multiple of 512 bytes."}
        return {}

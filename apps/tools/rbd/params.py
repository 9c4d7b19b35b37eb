"""Parameters of rbd bench in a plan. The options are those of rbd(8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from apps.tools.errors import PointError
from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.pools.image_commands import MIB
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters
from apps.tools.workload_naming import operation_part, size_part, times

from .fields import FIELDS

_OPERATION_NAMES = {"read": _("read"), "write": _("write"), "readwrite": _("read+write")}


@dataclass(frozen=True)
class RbdParams(PluginParams):
    """Parameters of one test of an image. Sizes in bytes; None means "not set"."""

    table: ClassVar[Mapping[str, Field]] = FIELDS

    mode: str = "write"
    pattern: str = "random"
    bs: int = 4096
    threads: int = 16
    size: int = 1024**3
    image_size: int = 1024**3
    reads: int = 50
    fill: bool = True
    object_size: int | None = None

    @property
    def written(self) -> int:
        """Return the bytes written during the measurement."""
        share = {"read": 0, "write": 100}.get(self.mode, 100 - self.reads)
        return self.size * share // 100

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "random read+write 70 % reads 4 KiB x16, image of 10 GiB"."""
        pattern, reads = known.get("pattern"), known.get("reads")
        mixed = known.get("mode") == "readwrite" and reads is not None
        return (
            *([Part("pattern", pattern, str(pattern))] if pattern else ()),
            *(
                replace(part, close=bool(pattern))
                for part in operation_part(known, _OPERATION_NAMES, "mode")
            ),
            *(
                [Part("reads", reads, message("%(share)s %% reads", share=str(reads)), close=True)]
                if mixed
                else ()
            ),
            *size_part(known, "bs", close=True),
            *times(known, "threads"),
            *size_part(known, "image_size", _("image of %(size)s")),
            *size_part(known, "object_size", _("objects of %(size)s")),
            *(
                [Part("fill", False, message("never written"))]
                if known.get("fill") is False
                else ()
            ),
        )

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence.

        Raises: PointError for blocks larger than the image.
        """
        if self.bs > min(self.image_size, self.size):
            text = message("An operation (bs) must fit into the image and into the bytes in all.")
            raise PointError({"bs": text})
        errors: dict[str, str] = {}
        if self.image_size % MIB:
            errors["image_size"] = message("The size of an image is whole MiB.")
        if self.object_size and self.object_size & (self.object_size - 1):
            errors["object_size"] = message("The object size must be a power of two.")
        if self.mode != "write" and not self.fill:
            errors["fill"] = message("What was never written is read from no disk.")
        return errors

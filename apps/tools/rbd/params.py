"""Parameters of rbd bench in a plan. The options are those of rbd(8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.base import Field, Part, PointError
from apps.tools.params import format_size
from apps.tools.pools.images import MIB
from apps.tools.room_params import RoomParams
from apps.tools.sentences import sentence

from .fields import FIELDS


@dataclass(frozen=True)
class RbdParams(RoomParams):
    """One test of an image. Sizes in bytes; None means "not set"."""

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
        """Bytes that are written while it is measured."""
        share = {"read": 0, "write": 100}.get(self.mode, 100 - self.reads)
        return self.size * share // 100

    def parts(self) -> tuple[Part, ...]:
        """As in "random readwrite 70 % reads 4 KiB, 16 in flight, 1 GiB of an image of 10 GiB"."""
        mix = [Part("reads", self.reads, f"{self.reads} % reads", close=True)]
        size = self.object_size
        objects = [Part("object_size", size, f"objects of {format_size(size)}")] if size else []
        return (
            Part("pattern", self.pattern, self.pattern),
            Part("mode", self.mode, self.mode, close=True),
            *(mix if self.mode == "readwrite" else ()),
            Part("bs", self.bs, format_size(self.bs), close=True),
            Part("threads", self.threads, f"{self.threads} in flight"),
            Part("size", self.size, format_size(self.size)),
            Part(
                "image_size",
                self.image_size,
                f"of an image of {format_size(self.image_size)}",
                close=True,
            ),
            *objects,
            *(() if self.fill else (Part("fill", False, "of an image never written"),)),
        )

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence. Raises PointError for blocks that
        the image does not hold."""
        if self.bs > min(self.image_size, self.size):
            text = sentence("An operation (bs) must fit into the image and into the bytes in all.")
            raise PointError({"bs": text})
        errors: dict[str, str] = {}
        if self.image_size % MIB:
            errors["image_size"] = sentence("The size of an image is whole MiB.")
        if self.object_size and self.object_size & (self.object_size - 1):
            errors["object_size"] = sentence("The object size must be a power of two.")
        if self.mode != "write" and not self.fill:
            errors["fill"] = sentence("What was never written is read from no disk.")
        return errors

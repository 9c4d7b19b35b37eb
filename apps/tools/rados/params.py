"""Parameters of rados bench in a plan. The options are those of rados(8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.values import Parameters
from apps.tools.workload_naming import operation_part, size_part, times

from .fields import FIELDS


@dataclass(frozen=True)
class RadosParams(PluginParams):
    """Parameters of one test: a write, then reads of its objects.

    Sizes in bytes, durations in seconds; None means "not set".
    """

    table: ClassVar[Mapping[str, Field]] = FIELDS

    operations: str = "write+seq+rand"
    bs: int = 4 * 1024**2
    threads: int = 16
    seconds: int = 60
    write_seconds: int | None = None
    object_size: int | None = None
    max_objects: int | None = None
    verify: bool = True
    hints: bool = True

    @property
    def steps(self) -> tuple[str, ...]:
        """Return the operations in order: "write" first."""
        return tuple(self.operations.split("+"))

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "write+seq 4 MiB x16"."""
        whole = known.get("object_size") in (None, known.get("bs"))
        return (
            *operation_part(known, {}, "operations"),
            *size_part(known, "bs", close=True),
            *times(known, "threads"),
            *(() if whole else size_part(known, "object_size", "objects of {size}")),
        )

    def lasts(self, operation: str) -> int:
        """Return the requested duration of an operation in seconds."""
        return (self.write_seconds or self.seconds) if operation == "write" else self.seconds

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence."""
        errors: dict[str, str] = {}
        if self.object_size is not None and self.object_size % self.bs:
            errors["object_size"] = message(
                "The object size must be a multiple of the block size (bs)."
            )
        if self.operations == "write":
            if self.write_seconds is not None:
                errors["write_seconds"] = message(
                    "A test that only writes takes its time from seconds."
                )
            if not self.verify:
                errors["verify"] = message("A test that only writes has nothing to verify.")
        return errors

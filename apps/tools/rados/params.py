"""What a plan may ask of rados bench. The options are those of rados(8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.tools.base import JSON, Field, ParamsError
from apps.tools.params import build, format_size

from .fields import FIELDS


@dataclass(frozen=True)
class RadosParams:
    """One test: writing, then reading what was written. Sizes in bytes, durations in seconds; None
    means "not set"."""

    operations: str = "write+seq+rand"
    bs: int = 4 * 1024**2
    threads: int = 16
    seconds: int = 60
    write_seconds: int | None = None
    object_size: int | None = None
    max_objects: int | None = None
    verify: bool = True
    hints: bool = True

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The parameters a plan may set, in the order a form shows them."""
        return FIELDS

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> RadosParams:
        """One point from what a person or script wrote. Raises ParamsError with a sentence per
        parameter."""
        params = build(cls, FIELDS, raw)
        errors = params.contradictions()
        if errors:
            raise ParamsError(errors)
        return params

    @property
    def steps(self) -> tuple[str, ...]:
        """The operations in order: "write" first."""
        return tuple(self.operations.split("+"))

    def canonical(self) -> JSON:
        """Every parameter, defaults included, in bytes, seconds and flags."""
        return asdict(self)

    def describe(self) -> str:
        """A short label for people: "write+seq 4 MiB, 16 in flight, 60 s"."""
        parts = [f"{self.operations} {format_size(self.bs)}", f"{self.threads} in flight"]
        if self.object_size:
            parts.append(f"objects of {format_size(self.object_size)}")
        return ", ".join([*parts, f"{self.seconds} s"])

    def lasts(self, operation: str) -> int:
        """Seconds an operation is asked to take."""
        return (self.write_seconds or self.seconds) if operation == "write" else self.seconds

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        errors = {}
        if self.object_size is not None and self.object_size % self.bs:
            errors["object_size"] = "The object size must be a multiple of the block size (bs)."
        if self.operations == "write":
            if self.write_seconds is not None:
                errors["write_seconds"] = "A test that only writes takes its time from seconds."
            if not self.verify:
                errors["verify"] = "A test that only writes has nothing to verify."
        return errors

"""What a plan may ask of iozone: an allow-list of typed parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.tools.base import JSON, Field, ParamsError
from apps.tools.params import build, format_size

from .fields import FIELDS, KIB

WITHOUT_MMAP = frozenset({"fwrite", "fread"})


@dataclass(frozen=True)
class IozoneParams:
    """One iozone test in a directory. Sizes in bytes; `stride` in records."""

    operation: str = "write"
    file_size: int = 4 * KIB**3
    record_size: int = 4 * KIB
    threads: int = 1
    direct: bool = False
    sync: bool = False
    include_fsync: bool = False
    include_close: bool = False
    mmap: bool = False
    retest: bool = True
    stride: int = 17

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The parameters a plan may set, in the order a form shows them."""
        return FIELDS

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> IozoneParams:
        """One point from what a person or script wrote. Raises ParamsError with a sentence per
        parameter."""
        params = build(cls, FIELDS, raw)
        errors = params.contradictions()
        if errors:
            raise ParamsError(errors)
        return params

    def canonical(self) -> JSON:
        """Every parameter, defaults included, in bytes and counts."""
        return asdict(self)

    def describe(self) -> str:
        """A short label for people: "read 4 KiB, 4 GiB file, 1 thread"."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        sizes = f"{format_size(self.record_size)}, {format_size(self.file_size)} file"
        return f"{self.operation} {sizes}, {threads}"

    @property
    def together(self) -> bool:
        """Whether iozone's throughput mode is used: for several threads, and always for the random
        mix (iozone(1), "-i")."""
        return self.threads > 1 or self.operation == "random_mix"

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        errors = self._size_errors()
        if self.operation == "record_rewrite" and self.threads > 1:
            errors["threads"] = "iozone has no record_rewrite of several threads at once."
        if self.mmap and self.direct:
            errors["mmap"] = "A mapping goes through the page cache: choose it or direct I/O."
        if self.mmap and self.operation in WITHOUT_MMAP:
            errors["mmap"] = f"{self.operation} works on streams, not on a mapping."
        return errors

    def _size_errors(self) -> dict[str, str]:
        if self.record_size % KIB:
            return {"record_size": "iozone counts records in KiB: write a multiple of 1k."}
        if self.file_size % self.record_size:
            return {"file_size": "The file must hold a whole number of records."}
        if self.operation == "stride_read" and self.file_size <= self.record_size * self.stride:
            return {"stride": "The file must be longer than one stride."}
        return {}

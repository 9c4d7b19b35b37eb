"""What a plan may ask of iozone: an allow-list of typed parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from apps.tools.base import JSON, Field, ParamsError, PointError
from apps.tools.params import build, format_size

from .fields import FIELDS, KIB

WITHOUT_MMAP = frozenset({"fwrite", "fread", "pwrite", "pread"})
THROUGHPUT_ONLY = frozenset({"random_mix", "pwrite", "pread"})
WITHOUT_ASYNC = frozenset({"fwrite", "fread", "pwrite", "pread", "random_mix"})


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
    msync: str = "none"
    async_depth: int = 0

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """The parameters a plan may set, in the order a form shows them."""
        return FIELDS

    @classmethod
    def from_raw(cls, raw: Mapping[str, Any]) -> IozoneParams:
        """One point from what a person or script wrote. Raises ParamsError with a sentence per
        parameter."""
        params = build(cls, FIELDS, raw)
        if params.record_size > params.file_size:
            raise PointError({"record_size": "A record must fit into the file."})
        errors = params.contradictions()
        if errors:
            raise ParamsError(errors)
        return params

    def canonical(self) -> JSON:
        """Every parameter, defaults included, in bytes and counts; those that came later only
        where they are used, so that keys stay what they were."""
        later = {"msync": "none", "async_depth": 0}
        return {
            name: value for name, value in asdict(self).items() if value != later.get(name, ...)
        }

    def describe(self) -> str:
        """A short label for people: "read 4 KiB, 4 GiB file, 1 thread"."""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        sizes = f"{format_size(self.record_size)}, {format_size(self.file_size)} file"
        return f"{self.operation} {sizes}, {threads}"

    @property
    def together(self) -> bool:
        """Whether iozone's throughput mode is used: for several threads, and always for the random
        mix (iozone(1), "-i"), for pwrite and pread, which iozone 3.489 leaves out of its table, and
        for asynchronous I/O, whose remarks tear the table's rows apart."""
        return self.threads > 1 or self.operation in THROUGHPUT_ONLY or self.async_depth > 0

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        errors = self._size_errors()
        if self.operation == "record_rewrite" and self.together:
            name = "threads" if self.threads > 1 else "async_depth"
            errors[name] = "iozone rewrites a record with one thread, one operation at a time."
        if self.mmap and self.direct:
            errors["mmap"] = "A mapping goes through the page cache: choose it or direct I/O."
        if self.mmap and self.operation in WITHOUT_MMAP:
            errors["mmap"] = f"{self.operation} does not work on a mapping."
        if self.msync != "none" and not self.mmap:
            errors["msync"] = "Only a memory-mapped file is flushed this way: choose mmap as well."
        if self.async_depth and (self.mmap or self.operation in WITHOUT_ASYNC):
            what = "a mapping" if self.mmap else self.operation
            errors["async_depth"] = f"iozone has no asynchronous I/O for {what}."
        return errors

    def _size_errors(self) -> dict[str, str]:
        if self.record_size % KIB:
            return {"record_size": "iozone counts records in KiB: write a multiple of 1k."}
        if self.file_size % self.record_size:
            return {"file_size": "The file must hold a whole number of records."}
        if self.operation == "stride_read" and self.file_size <= self.record_size * self.stride:
            return {"stride": "The file must be longer than one stride."}
        return {}

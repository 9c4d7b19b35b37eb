"""Parameters of iozone in a plan: an allow-list of typed parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.errors import PointError
from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.plugin_params import PluginParams
from apps.tools.values import Parameters

from .fields import FIELDS, KIB
from .label import label_parts
from .parser.columns import CACHE_LINE, CACHE_SIZE, THROUGHPUT_ONLY

WITHOUT_MMAP = frozenset({"fwrite", "fread", "pwrite", "pread"})
WITHOUT_ASYNC = frozenset({"fwrite", "fread", "pwrite", "pread", "random_mix"})


@dataclass(frozen=True)
class IozoneParams(PluginParams):
    """Parameters of one iozone test in a directory. Sizes in bytes; `stride` in records."""

    table: ClassVar[Mapping[str, Field]] = FIELDS
    later: ClassVar[Parameters] = {
        "msync": "none",
        "async_depth": 0,
        "pthreads": False,
        "lock_file": False,
        "think_time": 0,
        "multiple_buffers": False,
        "mixed_mmap": False,
        "async_copies": False,
        "cache_size": CACHE_SIZE,
        "cache_line": CACHE_LINE,
    }

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
    pthreads: bool = False
    lock_file: bool = False
    think_time: int = 0
    multiple_buffers: bool = False
    mixed_mmap: bool = False
    async_copies: bool = False
    cache_size: int = CACHE_SIZE
    cache_line: int = CACHE_LINE

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label, such as "random read 4 KiB, 4 GiB file, 4 threads, buffered"."""
        return tuple(label_parts(known))

    @property
    def uses_throughput_mode(self) -> bool:
        """Return True if iozone's throughput mode is used.

        It is used for several threads and for the random mix (iozone(1), "-i"). pwrite and pread
        need it because iozone 3.489 omits them from its table. Asynchronous I/O needs it because
        its remarks break the rows of the table.
        """
        return self.threads > 1 or self.operation in THROUGHPUT_ONLY or self.async_depth > 0

    def contradictions(self) -> dict[str, str]:
        """Return parameters that contradict each other: name -> sentence."""
        if self.record_size > self.file_size:
            raise PointError({"record_size": message("A record must fit into the file.")})
        if self.operation == "stride_read" and self.file_size <= self.record_size * self.stride:
            raise PointError({"stride": message("The file must be longer than one stride.")})
        errors = self._size_errors()
        if self.operation == "record_rewrite" and self.uses_throughput_mode:
            name = "threads" if self.threads > 1 else "async_depth"
            errors[name] = message(
                "iozone rewrites a record with one thread, one operation at a time."
            )
        if self.mmap and self.direct:
            errors["mmap"] = message(
                "A mapping goes through the page cache: choose it or direct I/O."
            )
        if self.mmap and self.operation in WITHOUT_MMAP:
            errors["mmap"] = message(
                "%(operation)s does not work on a mapping.", operation=self.operation
            )
        if self.msync != "none" and not self.mmap:
            errors["msync"] = message(
                "Only a memory-mapped file is flushed this way: choose mmap as well."
            )
        if self.async_depth and (self.mmap or self.operation in WITHOUT_ASYNC):
            what = "a mapping" if self.mmap else self.operation
            errors["async_depth"] = message(
                "iozone has no asynchronous I/O for %(what)s.", what=what
            )
        return errors | self._process_errors()

    def _process_errors(self) -> dict[str, str]:
        errors: dict[str, str] = {}
        if self.async_copies and not self.async_depth:
            errors["async_copies"] = message(
                "Only asynchronous I/O copies data: choose its depth as well."
            )
        if self.pthreads and not self.uses_throughput_mode:
            errors["pthreads"] = message(
                "iozone has threads in throughput mode: choose 2 threads or more."
            )
        if self.mixed_mmap and not self.mmap:
            errors["mixed_mmap"] = message(
                "There is no mapping to mix with the file: choose mmap as well."
            )
        if self.cache_size % KIB:
            errors["cache_size"] = message(
                "iozone counts the cache in KiB: write a multiple of 1k."
            )
        return errors

    def _size_errors(self) -> dict[str, str]:
        if self.record_size % KIB:
            return {"record_size": message("iozone counts records in KiB: write a multiple of 1k.")}
        if self.file_size % self.record_size:
            return {"file_size": message("The file must hold a whole number of records.")}
        return {}

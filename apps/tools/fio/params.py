"""Parameters of fio that a plan may set: a typed allow-list with names of fio(1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.param_values import cpu_numbers, format_size
from apps.tools.plugin_params import PluginParams
from apps.tools.values import Parameters, Scalar

from . import more_rules, placement_rules, sprandom
from .fields import FIELDS
from .label import label_parts
from .options.workload import MORE

READ_ONLY = frozenset({"read", "randread"})
MIXED = frozenset({"rw", "randrw"})
TRIMMING = frozenset({"trim", "randtrim", "trimwrite", "randtrimwrite"})
SYNCHRONOUS = frozenset({"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"})
SYNCS = ("fsync", "fdatasync", "end_fsync")
MAX_BUFFERS = 16 * 1024**3


@dataclass(frozen=True)
class FioParams(PluginParams):
    """One fio job; sizes in bytes, durations in seconds, None means "not set".

    The defaults are the team's standard: direct, asynchronous, timed, incompressible, truly random.
    `size` None is the whole disk. `more`: further options of fio's own list.
    """

    table: ClassVar[Mapping[str, Field]] = {**FIELDS, **MORE}
    later: ClassVar[Parameters] = {
        "fdatasync": 0,
        "shared_file": False,
        **dict.fromkeys(MORE),
    }

    rw: str = "randread"
    bs: int = 4096
    size: int | None = 1024**3
    offset: int = 0
    shared_file: bool = False
    ioengine: str = "libaio"
    iodepth: int = 128
    numjobs: int = 1
    thread: bool = False
    direct: bool = True
    runtime: int = 300
    time_based: bool = True
    ramp_time: int = 0
    rwmixread: int = 50
    refill_buffers: bool = True
    norandommap: bool = True
    randrepeat: bool = False
    group_reporting: bool = True
    fsync: int = 0
    fdatasync: int = 0
    end_fsync: bool = False
    invalidate: bool = True
    rate_iops: int | None = None
    loops: int = 1
    cpus_allowed: str | None = None
    cpus_allowed_policy: str = "shared"
    more: tuple[tuple[str, Scalar], ...] = ()

    def option(self, name: str) -> Scalar:
        """Return the value of one of fio's other options, None if unset."""
        return dict(self.more).get(name)

    def number(self, name: str, unset: int = 0) -> int:
        """Return one of fio's other options as a number, `unset` if it is not set."""
        value = self.option(name)
        return value if isinstance(value, int) else unset

    @property
    def largest_block(self) -> int:
        """Return the bytes of the largest operation (bs, bsrange, bssplit)."""
        return more_rules.largest_block(dict(self.more)) or self.bs

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """Return the label's parts, as in "random read 4 KiB, QD 32, in 1 GiB"."""
        return tuple(label_parts(known))

    def contradictions(self) -> dict[str, str]:
        """Return conflicting parameters: name -> message."""
        return {
            **more_rules.contradictions(dict(self.more), self),
            **placement_rules.contradictions(dict(self.more), self),
            **sprandom.contradictions(dict(self.more), self),
            **self._address_errors(),
            **self._engine_errors(),
            **self._cpu_errors(),
        }

    def _address_errors(self) -> dict[str, str]:
        errors: dict[str, str] = {}
        if self.size is not None and self.size < self.bs:
            errors["size"] = message("The size must hold at least one block (bs).")
        if self.bs % 512 and self.direct:
            errors["bs"] = message("Direct I/O needs a multiple of 512 bytes.")
        if self.offset % 512 and self.direct:
            errors["offset"] = message("Direct I/O needs a multiple of 512 bytes.")
        if self.time_based and not self.runtime:
            errors["runtime"] = message("A timed test needs a run time.")
        if self.time_based and self.loops > 1:
            errors["loops"] = message(
                "A timed test runs until its time is over; loops need time_based off."
            )
        if self.largest_block * self.iodepth * self.numjobs > MAX_BUFFERS:
            limit = format_size(MAX_BUFFERS)
            errors["iodepth"] = message(
                "bs x iodepth x numjobs would need more than %(room)s of memory.", room=limit
            )
        return errors

    def _engine_errors(self) -> dict[str, str]:
        if self.ioengine in SYNCHRONOUS and self.iodepth > 1:
            text = message(
                "%(engine)s has one operation in flight: set the depth to 1 and use numjobs, or "
                "choose libaio, io_uring or posixaio.",
                engine=self.ioengine,
            )
            return {"iodepth": text}
        if self.ioengine == "mmap" and self.direct:
            return {"direct": message("A mapping goes through the page cache: set direct to no.")}
        names = [name for name in SYNCS if getattr(self, name)] if self.rw in READ_ONLY else []
        return dict.fromkeys(names, message("A test that only reads has nothing to sync."))

    def _cpu_errors(self) -> dict[str, str]:
        if self.cpus_allowed_policy != "split":
            return {}
        if self.cpus_allowed is None:
            return {"cpus_allowed": message("The policy split needs a list of CPUs to split.")}
        count = len(cpu_numbers(self.cpus_allowed))
        if self.numjobs > count:
            return {
                "numjobs": message(
                    "%(jobs)d jobs cannot be split over %(cpus)d CPUs: numjobs may not exceed the "
                    "number of CPUs.",
                    jobs=self.numjobs,
                    cpus=count,
                )
            }
        return {}

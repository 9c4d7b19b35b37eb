"""Parameters that a plan may ask of fio: an allow-list of typed ones. The words are those of
fio(1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.fields import Field, Part
from apps.tools.messages import message
from apps.tools.param_values import cpu_numbers, format_size
from apps.tools.plugin_params import PluginParams
from apps.tools.values import Parameters, Scalar

from . import more_rules
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
    """One fio job description. Sizes in bytes, durations in seconds; None means "not set".

    The defaults are the team's standard: direct, asynchronous, timed, incompressible, truly random.
    `size` None stands for the whole disk. `more`: what else is set of fio's own list of options.
    """

    table: ClassVar[Mapping[str, Field]] = {**FIELDS, **MORE}
    later: ClassVar[Parameters] = {"fdatasync": 0, **dict.fromkeys(MORE)}

    rw: str = "randread"
    bs: int = 4096
    size: int | None = 1024**3
    offset: int = 0
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
        """One of fio's other options as it is set, None where it is not."""
        return dict(self.more).get(name)

    def number(self, name: str, unset: int = 0) -> int:
        """One of fio's other options that is a number; `unset` where it is not set."""
        value = self.option(name)
        return value if isinstance(value, int) else unset

    @property
    def largest_block(self) -> int:
        """Bytes of the largest operation (bs, bsrange, bssplit)."""
        return more_rules.largest_block(dict(self.more)) or self.bs

    @classmethod
    def parts_of(cls, known: Parameters) -> tuple[Part, ...]:
        """As in "random read 4 KiB, QD 32, in 1 GiB"."""
        return tuple(label_parts(known))

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        return {
            **more_rules.contradictions(dict(self.more), self),
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
            room = format_size(MAX_BUFFERS)
            errors["iodepth"] = message(
                "bs x iodepth x numjobs would need more than %(room)s of memory.", room=room
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
        asked = [name for name in SYNCS if getattr(self, name)] if self.rw in READ_ONLY else []
        return dict.fromkeys(asked, message("A test that only reads has nothing to sync."))

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

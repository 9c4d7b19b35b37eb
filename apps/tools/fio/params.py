"""What a plan may ask of fio: an allow-list of typed parameters. The words are those of fio(1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.tools.base import Field, Part
from apps.tools.naming import counted, flags
from apps.tools.params import cpu_numbers, format_size
from apps.tools.room_params import RoomParams
from apps.tools.values import Parameters

from .fields import FIELDS

READ_ONLY = frozenset({"read", "randread"})
MIXED = frozenset({"rw", "randrw"})
TRIMMING = frozenset({"trim", "randtrim", "trimwrite"})
SYNCHRONOUS = frozenset({"sync", "psync", "pvsync2"})
SYNCS = ("fsync", "fdatasync", "end_fsync")
MAX_BUFFERS = 16 * 1024**3


@dataclass(frozen=True)
class FioParams(RoomParams):
    """One fio job description. Sizes in bytes, durations in seconds; None means "not set".

    The defaults are the team's standard: direct, asynchronous, timed, incompressible, truly random.
    `size` None stands for the whole disk.
    """

    table: ClassVar[Mapping[str, Field]] = FIELDS
    later: ClassVar[Parameters] = {"fdatasync": 0}

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

    def parts(self) -> tuple[Part, ...]:
        """As in "randrw 70 % reads 4 KiB, depth 128, 1 job, fdatasync after each write"."""
        mix = [Part("rwmixread", self.rwmixread, f"{self.rwmixread} % reads", close=True)]
        return (
            Part("rw", self.rw, self.rw),
            *(mix if self.rw in MIXED else ()),
            Part("bs", self.bs, format_size(self.bs), close=True),
            Part("iodepth", self.iodepth, f"depth {self.iodepth}"),
            counted("numjobs", self.numjobs, "job", "jobs"),
            *(_after(name, getattr(self, name)) for name in SYNCS[:2] if getattr(self, name)),
            *flags(self, end_fsync="fsync at the end"),
        )

    def contradictions(self) -> dict[str, str]:
        """Parameters that do not go together: name -> sentence."""
        return self._address_errors() | self._engine_errors() | self._cpu_errors()

    def _address_errors(self) -> dict[str, str]:
        errors = {}
        if self.size is not None and self.size < self.bs:
            errors["size"] = "The size must hold at least one block (bs)."
        if self.bs % 512 and self.direct:
            errors["bs"] = "Direct I/O needs a multiple of 512 bytes."
        if self.offset % 512 and self.direct:
            errors["offset"] = "Direct I/O needs a multiple of 512 bytes."
        if self.time_based and self.loops > 1:
            errors["loops"] = "A timed test runs until its time is over; loops need time_based off."
        if self.bs * self.iodepth * self.numjobs > MAX_BUFFERS:
            room = format_size(MAX_BUFFERS)
            errors["iodepth"] = f"bs x iodepth x numjobs would need more than {room} of memory."
        return errors

    def _engine_errors(self) -> dict[str, str]:
        if self.ioengine in SYNCHRONOUS and self.iodepth > 1:
            sentence = (
                f"{self.ioengine} has one operation in flight: set the depth to 1 and use numjobs, "
                "or choose libaio, io_uring or posixaio."
            )
            return {"iodepth": sentence}
        asked = [name for name in SYNCS if getattr(self, name)] if self.rw in READ_ONLY else []
        return dict.fromkeys(asked, "A test that only reads has nothing to sync.")

    def _cpu_errors(self) -> dict[str, str]:
        if self.cpus_allowed_policy != "split":
            return {}
        if self.cpus_allowed is None:
            return {"cpus_allowed": "The policy split needs a list of CPUs to split."}
        count = len(cpu_numbers(self.cpus_allowed))
        if self.numjobs > count:
            return {
                "numjobs": f"{self.numjobs} jobs cannot be split over {count} CPUs: "
                "numjobs may not exceed the number of CPUs."
            }
        return {}


def _after(name: str, writes: int) -> Part:
    return Part(name, writes, f"{name} after {'each write' if writes == 1 else f'{writes} writes'}")

"""fio's sprandom: one pass of random writes over the physical capacity of a drive (fio 3.41).

It leaves another state than fills in sequence and in random order: the share of invalid pages
varies over the drive as it does after long random writing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

from apps.tools.messages import message
from apps.tools.targets import ToolTarget
from apps.tools.values import Scalar

from .more_rules import Job

SPRANDOM = "sprandom"
OVER_PROVISIONING = "spr_op"
GENERATOR = "random_generator"
LFSR = "lfsr"
_BELONGING = (OVER_PROVISIONING, "spr_num_regions")
# fio computes the amount itself, from the size of the drive.
_AMOUNTS = ("io_size", "number_ios", "bsrange", "bssplit", "offset_increment", "zonemode")


class OnePass(Job, Protocol):
    """Parameters of fio that these rules use."""

    @property
    def bs(self) -> int: ...
    @property
    def loops(self) -> int: ...
    def option(self, name: str) -> Scalar: ...


def contradictions(more: Mapping[str, Scalar], job: OnePass) -> dict[str, str]:
    """Return conflicting options: name -> message (fio's init.c and sprandom.c)."""
    if not more.get(SPRANDOM):
        text = message("It belongs to sprandom: set that as well.")
        return {name: text for name in _BELONGING if more.get(name) is not None}
    errors = _job_errors(job)
    if more.get(GENERATOR) not in (None, LFSR):
        errors[GENERATOR] = message("sprandom needs the generator lfsr, which benchlab sets.")
    if not float(str(more.get(OVER_PROVISIONING) or 0)):
        text = message("sprandom needs the over-provisioning that the maker states, such as 0.07.")
        errors[OVER_PROVISIONING] = text
    fixed = message("sprandom determines how much is written, and where.")
    return errors | {name: fixed for name in _AMOUNTS if more.get(name)}


def _job_errors(job: OnePass) -> dict[str, str]:
    errors: dict[str, str] = {}
    if job.rw != "randwrite":
        errors["rw"] = message("sprandom is a random write (randwrite).")
    if not job.norandommap:
        errors["norandommap"] = message("sprandom works without a random map: set it to yes.")
    if job.numjobs != 1:
        errors["numjobs"] = message("sprandom is one job.")
    if job.time_based or job.loops != 1:
        errors["time_based"] = message("sprandom is one pass: run neither for a time nor again.")
    if job.bs & (job.bs - 1):
        errors["bs"] = message("sprandom needs a block size that is a power of two.")
    return errors


def errors(params: OnePass, target: ToolTarget) -> dict[str, str]:
    """Return parameters that do not fit the target: name -> message."""
    if params.option(SPRANDOM) and target.kind != "disk":
        return {SPRANDOM: message("sprandom brings a whole disk into a state: choose a disk.")}
    return {}


def options(params: OnePass) -> tuple[str, ...]:
    """Return the generator that sprandom needs, unless the step names it."""
    needed = params.option(SPRANDOM) and params.option(GENERATOR) is None
    return (f"--{GENERATOR}={LFSR}",) if needed else ()


def bytes_written(params: OnePass, space: int) -> int:
    """Return the bytes that one pass writes to this many bytes: also the spare capacity."""
    share = float(str(params.option(OVER_PROVISIONING)))
    return space + math.ceil(space * share)

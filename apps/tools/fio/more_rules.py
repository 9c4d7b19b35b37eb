"""Rules between fio's other options, with names and rules of fio(1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

from apps.tools.messages import message
from apps.tools.param_values import parse_size
from apps.tools.values import Scalar

from .options.workload import ENGINE_OPTIONS

_BLOCK = re.compile(r"(?:^|[:,-])(\d+[kKmMgG]?)")
_DISTRIBUTION_OPTIONS = ("random_distribution", "random_generator")
_VERIFICATION_OPTIONS = (
    *("do_verify", "verify_only", "verify_interval", "verify_offset", "verify_fatal"),
    *("verify_async", "verify_backlog", "verify_backlog_batch", "experimental_verify"),
    *("trim_percentage", "trim_verify_zero", "trim_backlog", "trim_backlog_batch"),
)
_ZONE_OPTIONS = (
    *("zonesize", "zonecapacity", "zonerange", "zoneskip", "read_beyond_wp", "max_open_zones"),
    *("job_max_open_zones", "ignore_zone_limits", "zone_reset_threshold"),
    "zone_reset_frequency",
)
_FILE_OPTIONS = ("nrfiles", "openfiles", "file_service_type", "file_append")
MAX_BLOCK_BYTES = 1024**3


class Job(Protocol):
    """Parameters of fio that these rules use."""

    @property
    def rw(self) -> str: ...
    @property
    def ioengine(self) -> str: ...
    @property
    def numjobs(self) -> int: ...
    @property
    def direct(self) -> bool: ...
    @property
    def norandommap(self) -> bool: ...
    @property
    def time_based(self) -> bool: ...
    @property
    def refill_buffers(self) -> bool: ...


def largest_block(more: Mapping[str, Scalar]) -> int | None:
    """Return the bytes of the largest block of a range or mix of sizes; None without either."""
    texts = [str(more[name]) for name in ("bsrange", "bssplit") if more.get(name)]
    sizes = [parse_size(size) for text in texts for size in _BLOCK.findall(text)]
    return max(sizes, default=None)


def contradictions(more: Mapping[str, Scalar], job: Job) -> dict[str, str]:
    """Return conflicting options: name -> message."""
    return {
        **_blocks(more, job),
        **_verification(more, job),
        **_needed(more),
        **_zones(more, job),
        **_engines(more, job),
    }


def disk_errors(more: Mapping[str, Scalar]) -> dict[str, str]:
    """Return errors for options that apply only to files of a directory."""
    return {
        name: message("A disk is one file: this is for a directory.")
        for name in _FILE_OPTIONS
        if more.get(name)
    }


def _blocks(more: Mapping[str, Scalar], job: Job) -> dict[str, str]:
    errors: dict[str, str] = {}
    if more.get("bsrange") and more.get("bssplit"):
        errors["bssplit"] = message("Give a range of block sizes or a mix of them, not both.")
    elif (largest := largest_block(more)) is not None and not 512 <= largest <= MAX_BLOCK_BYTES:
        name = "bssplit" if more.get("bssplit") else "bsrange"
        errors[name] = message("Blocks have 512 bytes to 1 GiB.")
    if job.norandommap and not more.get("sprandom"):
        names = [name for name in _DISTRIBUTION_OPTIONS if more.get(name) == "lfsr"]
        text = message("lfsr visits each block once: set norandommap to no.")
        errors |= dict.fromkeys(names, text)
    if more.get("zero_buffers") and job.refill_buffers:
        errors["zero_buffers"] = message("Zeroes are not fresh data: set refill_buffers to no.")
    return errors


def _verification(more: Mapping[str, Scalar], job: Job) -> dict[str, str]:
    """Return errors for tests that overwrite blocks before they are verified."""
    if not more.get("verify"):
        return dict.fromkeys(
            (name for name in _VERIFICATION_OPTIONS if more.get(name) is not None),
            message("There is nothing to verify: choose how (verify) as well."),
        )
    if job.ioengine == "null":
        return {"verify": message("The engine null moves no data that could be verified.")}
    if job.rw.startswith("rand") and job.norandommap:
        return {
            "verify": message(
                "Random blocks that are written twice would look wrong: set norandommap to no."
            )
        }
    if job.numjobs > 1 and not more.get("offset_increment"):
        return {
            "verify": message(
                "Jobs would overwrite each other's blocks, which then look wrong: one job, or an "
                "offset_increment."
            )
        }
    return {}


def _needed(more: Mapping[str, Scalar]) -> dict[str, str]:
    errors: dict[str, str] = {}
    zones = [name for name in _ZONE_OPTIONS if more.get(name)]
    if zones and more.get("zonemode") in (None, "none"):
        errors |= dict.fromkeys(zones, message("It needs a zonemode."))
    for name, other in (
        ("thinktime_spin", "thinktime"),
        ("thinktime_blocks", "thinktime"),
        ("thinktime_iotime", "thinktime"),
        ("latency_window", "latency_target"),
        ("latency_percentile", "latency_target"),
        ("latency_run", "latency_target"),
        ("steadystate_ramp_time", "steadystate_duration"),
        ("sqthread_poll_cpu", "sqthread_poll"),
        ("openfiles", "nrfiles"),
        ("file_service_type", "nrfiles"),
    ):
        if more.get(name) and not more.get(other):
            errors[name] = message("It qualifies %(other)s: set that as well.", other=other)
    return errors


def _zones(more: Mapping[str, Scalar], job: Job) -> dict[str, str]:
    """Return errors for zone settings that fio refuses (fio(1), "zonemode"; zbd.c)."""
    mode = more.get("zonemode")
    if mode == "strided" and not more.get("zonesize"):
        return {"zonesize": message("The mode strided needs the size of a zone.")}
    if mode == "zbd" and not job.direct and job.rw not in ("read", "randread"):
        return {"direct": message("fio writes to zones with direct I/O only.")}
    return {}


def _engines(more: Mapping[str, Scalar], job: Job) -> dict[str, str]:
    return {
        name: message(
            "An option of %(engines)s; the engine is %(engine)s.",
            engines=", ".join(engines),
            engine=job.ioengine,
        )
        for name, engines in ENGINE_OPTIONS.items()
        if more.get(name) is not None and job.ioengine not in engines
    }

"""Starter plans with fio."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.advice import RAMP_SECONDS
from apps.tools.plan_templates import PlanLoad, PlanTemplate, TemplateStep
from apps.tools.values import Parameters, RawValue

_SMALL: Parameters = {"bs": "4k", "iodepth": 128, "ramp_time": RAMP_SECONDS}
_LARGE: Parameters = {"bs": "4M", "iodepth": 64, "ramp_time": RAMP_SECONDS}
_GIB = 1024**3

# Writes first, so that reads find data.
STANDARD_FOUR = PlanTemplate(
    "Standard four tests",
    "Random write and read at 4 KiB for IOPS, sequential write and read at 4 MiB for throughput.",
    (
        TemplateStep("IOPS, random write", {"rw": "randwrite", **_SMALL}, None),
        TemplateStep("IOPS, random read", {"rw": "randread", **_SMALL}, None),
        TemplateStep("Throughput, write", {"rw": "write", **_LARGE}, 100 * _GIB),
        TemplateStep("Throughput, read", {"rw": "read", **_LARGE}, 100 * _GIB),
    ),
)
# Preconditioning of SNIA's SSS PTS 2.0.2: 128 KiB in sequence, incompressible, each block once; and
# 4 KiB in random order, each block once.
_FILL: Parameters = {
    "size": None,
    "time_based": False,
    "runtime": 0,
    "norandommap": False,
    "iodepth": 32,
}
PREPARES: Mapping[str, Parameters] = {
    "sequential": {**_FILL, "rw": "write", "bs": "128k"},
    "random": {**_FILL, "rw": "randwrite", "bs": "4k"},
    "sprandom": {**_FILL, "rw": "randwrite", "bs": "4k", "norandommap": True, "sprandom": True},
    "age": {"size": None, "iodepth": 32, "rw": "randwrite", "bs": "4k"},
}

# SNIA's Solid State Storage Performance Test Specification 2.0.2: purge, fill twice in sequence,
# then rounds of a minute each until the tracked test is steady. The specification leaves queue
# depth and threads to the test operator.
_BLOCKS = ["1M", "128k", "64k", "32k", "16k", "8k", "4k", "512"]
_LOADED: Parameters = {"iodepth": 32, "numjobs": 4, "thread": True}
_ALONE: Parameters = {"iodepth": 1, "numjobs": 1}
_PURGED: Parameters = {"purge": "discard"}
_FILLED: Parameters = {**_PURGED, "sequential_fills": 2}
_MIXES = (95, 65, 50, 35, 5)
_MINUTE = 60


def _round(name: str, **params: RawValue) -> TemplateStep:
    return TemplateStep(name, params, None)


PTS_IOPS = PlanTemplate(
    "SNIA PTS: IOPS",
    "Random reads and writes of eight block sizes in seven mixes, in rounds until writes of 4 KiB "
    "are steady. Destroys what is on the disk; the first round takes 56 minutes.",
    (
        _round("100/0", rw="randread", bs=_BLOCKS, **_LOADED),
        *(
            _round(f"{reads}/{100 - reads}", rw="randrw", rwmixread=reads, bs=_BLOCKS, **_LOADED)
            for reads in _MIXES
        ),
        _round("0/100", rw="randwrite", bs=_BLOCKS[:6], **_LOADED),
        _round("0/100", rw="randwrite", bs="4k", **_LOADED),
        _round("0/100", rw="randwrite", bs="512", **_LOADED),
    ),
    seconds=_MINUTE,
    preconditioning=_FILLED,
    steady_state={"max_rounds": 25, "step": 8, "metric": "iops"},
)
PTS_THROUGHPUT = PlanTemplate(
    "SNIA PTS: throughput",
    "Sequential reads and writes of 128 KiB and 1 MiB, in rounds until writes of 1 MiB are steady. "
    "Destroys what is on the disk.",
    (
        _round("100/0", rw="read", bs=["128k", "1M"], iodepth=32, numjobs=1),
        _round("0/100", rw="write", bs="128k", iodepth=32, numjobs=1),
        _round("0/100", rw="write", bs="1M", iodepth=32, numjobs=1),
    ),
    seconds=_MINUTE,
    preconditioning=_FILLED,
    steady_state={"max_rounds": 25, "step": 3, "metric": "bandwidth"},
)
PTS_LATENCY = PlanTemplate(
    "SNIA PTS: latency",
    "One operation at a time: random reads and writes of 8 KiB, 4 KiB and 512 bytes in three "
    "mixes, in rounds until the mean latency of writes of 4 KiB is steady. Destroys what is on the "
    "disk.",
    (
        _round("100/0", rw="randread", bs=["8k", "4k", "512"], **_ALONE),
        _round("65/35", rw="randrw", rwmixread=65, bs=["8k", "4k", "512"], **_ALONE),
        _round("0/100", rw="randwrite", bs="8k", **_ALONE),
        _round("0/100", rw="randwrite", bs="4k", **_ALONE),
        _round("0/100", rw="randwrite", bs="512", **_ALONE),
    ),
    seconds=_MINUTE,
    preconditioning=_FILLED,
    steady_state={"max_rounds": 25, "step": 4, "metric": "latency_mean"},
)
PTS_WRITE_SATURATION = PlanTemplate(
    "SNIA PTS: write saturation",
    "Random writes of 4 KiB on a disk that was discarded, for six hours without a pause: how IOPS "
    "and latency change from fresh to saturated. Destroys what is on the disk.",
    (_round("Write saturation", rw="randwrite", bs="4k", **_LOADED),),
    seconds=6 * 3600,
    repeats=1,
    preconditioning=_PURGED,
)
TEMPLATES: Mapping[str, PlanTemplate] = {
    "standard-four": STANDARD_FOUR,
    "pts-iops": PTS_IOPS,
    "pts-throughput": PTS_THROUGHPUT,
    "pts-latency": PTS_LATENCY,
    "pts-write-saturation": PTS_WRITE_SATURATION,
}
LOADS: Mapping[str, PlanLoad] = {
    "small-reads": PlanLoad(
        "Small random reads (4 KiB)",
        {"rw": "randread", "bs": "4k", "iodepth": 32},
        reads=True,
        depth="iodepth",
        ramp="ramp_time",
    ),
    "small-writes": PlanLoad(
        "Small random writes (4 KiB)",
        {"rw": "randwrite", "bs": "4k", "iodepth": 32},
        reads=False,
        depth="iodepth",
        ramp="ramp_time",
    ),
    "mixed": PlanLoad(
        "Small random reads and writes (4 KiB, 70 % reads)",
        {"rw": "randrw", "rwmixread": 70, "bs": "4k", "iodepth": 32},
        reads=True,
        depth="iodepth",
        ramp="ramp_time",
    ),
    "large-reads": PlanLoad(
        "Large reads in sequence (1 MiB)",
        {"rw": "read", "bs": "1M", "iodepth": 8},
        reads=True,
        depth="iodepth",
        ramp="ramp_time",
    ),
    "large-writes": PlanLoad(
        "Large writes in sequence (1 MiB)",
        {"rw": "write", "bs": "1M", "iodepth": 8},
        reads=False,
        depth="iodepth",
        ramp="ramp_time",
    ),
}

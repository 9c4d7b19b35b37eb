"""Plans with fio to start from."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import PlanTemplate, TemplateStep
from apps.tools.values import Parameters

_SMALL: Parameters = {"bs": "4k", "iodepth": 128}
_LARGE: Parameters = {"bs": "4M", "iodepth": 64}
_GIB = 1024**3

# Writes first, so that reads find data.
STANDARD_FOUR = PlanTemplate(
    "Standard four tests",
    "Random write and read at 4 KiB for IOPS, sequential write and read at 4 MiB for throughput.",
    (
        TemplateStep("IOPS, random write", {"rw": "randwrite", **_SMALL}, _GIB),
        TemplateStep("IOPS, random read", {"rw": "randread", **_SMALL}, _GIB),
        TemplateStep("Throughput, write", {"rw": "write", **_LARGE}, 100 * _GIB),
        TemplateStep("Throughput, read", {"rw": "read", **_LARGE}, 100 * _GIB),
    ),
)
TEMPLATES: Mapping[str, PlanTemplate] = {"standard-four": STANDARD_FOUR}

# After the preconditioning of SNIA's SSS PTS 2.0.2: 128 KiB in sequence, incompressible, each block
# once; and 4 KiB in random order, each block once.
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
    "age": {"size": None, "iodepth": 32, "rw": "randwrite", "bs": "4k"},
}

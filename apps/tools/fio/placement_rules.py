"""Rules of NVMe commands and of placement (FDP, streams), with names of fio(1)."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.messages import message
from apps.tools.values import Scalar

from .more_rules import Job
from .options.newer import NVME

STREAMS = "streams"
_SELECTIONS = ("fdp_pli", "fdp_pli_select")
READ_ONLY = ("read", "randread")


def contradictions(more: Mapping[str, Scalar], job: Job) -> dict[str, str]:
    """Return conflicting options: name -> message."""
    errors: dict[str, str] = {}
    if job.ioengine == NVME and not job.direct:
        errors["direct"] = message("NVMe commands bypass the page cache: set direct to yes.")
    interface = more.get("dataplacement")
    places = bool(more.get("fdp")) or interface not in (None, "none")
    with_fdp = [name for name in ("fdp", "dataplacement") if _is_fdp(name, more.get(name))]
    if job.ioengine != NVME:
        text = message("FDP works through the engine io_uring_cmd.")
        errors |= dict.fromkeys(with_fdp, text)
    if more.get("fdp") and interface == STREAMS:
        errors["dataplacement"] = message("Choose FDP or streams, not both.")
    if not places:
        text = message("It qualifies how data are placed: set fdp or dataplacement as well.")
        errors |= {name: text for name in _SELECTIONS if more.get(name) is not None}
    elif job.rw in READ_ONLY:
        named = [name for name in ("fdp", "dataplacement", *_SELECTIONS) if more.get(name)]
        text = message("A test that only reads places nothing.")
        errors |= {name: text for name in named if more.get(name) != "none"}
    return errors


def _is_fdp(name: str, value: Scalar) -> bool:
    return bool(value) if name == "fdp" else value == "fdp"

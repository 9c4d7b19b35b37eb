"""Sections that fio reports together (group_reporting).

fio prints the name of the first section and, in JSON, the options of the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from apps.tools.fio.parser.access import can_do
from apps.tools.fio.parser.direction import directions_of
from apps.tools.text import count
from apps.tools.values import Decoded, Parameters

_MAX_SECTIONS = 64
_NAME_LENGTH = 100  # characters of a job's name that fio stores, and more
# Options that make operations of one size operations of another.
_SIZES = frozenset({"bssplit", "bs_unaligned", "blocksize_unaligned", "zonemode", "replay_align"})
_MIN_OPERATIONS = 100
_TOLERANCE = 0.02


def sections_of(jobs: Sequence[Decoded]) -> int:
    """Return the number of different sections among jobs that ran at the same time."""
    distinct: list[tuple[object, object]] = []
    for job in jobs:
        section = (job.get("jobname"), job.get("job options"))
        if section not in distinct:
            distinct.append(section)
        if len(distinct) > _MAX_SECTIONS:
            break
    return len(distinct)


def foreign_options(job: Decoded, params: Parameters) -> bool:
    """Return True if a job's options belong to another section.

    They have another name, an `rw` that excludes the results, or a `bs` that contradicts bytes and
    operations. `params`: those options and the common ones.
    """
    options = job.get("job options")
    if not isinstance(options, Mapping):
        return False
    name, stated = options.get("name"), str(job.get("jobname", ""))
    if isinstance(name, str) and stated and name[:_NAME_LENGTH] != stated[:_NAME_LENGTH]:
        return True
    done = {name: raw for name, raw in directions_of(job).items() if count(raw.get("total_ios"))}
    rw = str(params.get("rw", "")).split(":")[0]
    return not all(can_do(rw, each) for each in done) or _contradicts(done.values(), params)


def _contradicts(done: Iterable[Decoded], params: Parameters) -> bool:
    size = params.get("bs")
    if not isinstance(size, int) or not size or not _SIZES.isdisjoint(params):
        return False
    in_flight = count(params.get("iodepth") or 1) * count(params.get("numjobs") or 1)
    return any(_differs(raw, size, in_flight) for raw in done)


def _differs(raw: Decoded, size: int, in_flight: int) -> bool:
    """Return True if the bytes of a direction contradict its operations.

    The difference must exceed the operations in flight at its end.
    """
    transferred, operations = count(raw.get("io_bytes")), count(raw.get("total_ios"))
    if not transferred or operations < _MIN_OPERATIONS or count(raw.get("short_ios")):
        return False
    slack = max(_TOLERANCE * operations, in_flight)
    # Before 3.0 `io_bytes` is in KiB.
    return all(abs(transferred * unit / size - operations) > slack for unit in (1, 1024))

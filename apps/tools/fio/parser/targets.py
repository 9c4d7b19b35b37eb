"""Several disks or directories used at once: one section of fio each, and all of them together.

benchlab names a section as the part of the result it becomes and gives it a reporting group of its
own (`apps.tools.fio.sections`). They run at the same time, so bytes and operations add up over the
run, bins are added, and percentiles come from the sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from apps.tools.fio.sections import SECTION
from apps.tools.text import number
from apps.tools.values import Decoded

Each = TypeVar("Each")
Key = tuple[int, str]
WHOLE = -1


def group_of(job: Decoded) -> int:
    """The number of a job's reporting group."""
    group = number(job.get("groupid"))
    return int(group) if group is not None else 0


def target_names(jobs: Sequence[Decoded]) -> Mapping[int, str]:
    """The number of each target's group -> "target0" ...; empty unless every job belongs to one."""
    names: dict[int, str] = {}
    for job in jobs:
        name, options = str(job.get("jobname", "")), job.get("job options")
        ours = isinstance(options, Mapping) and "new_group" in options and SECTION.fullmatch(name)
        if not ours or names.setdefault(group_of(job), name) != name:
            return {}
    return names


def with_whole(parts: Mapping[Key, list[Each]]) -> dict[Key, list[Each]]:
    """The parts of all groups together under the number WHOLE, before those of each."""
    whole: dict[Key, list[Each]] = {}
    for (_, operation), each in parts.items():
        whole.setdefault((WHOLE, operation), []).extend(each)
    return whole | dict(parts)

"""Several disks or directories used at once: one section of fio each, and their total.

benchlab names a section as the component of its result and gives it its own reporting group
(`apps.tools.fio.sections`). The sections run at the same time: bytes and operations are added over
the run, bins are added, and percentiles come from the sum.
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
    """Return the number of a job's reporting group."""
    group = number(job.get("groupid"))
    return int(group) if group is not None else 0


def target_names(jobs: Sequence[Decoded]) -> Mapping[int, str]:
    """Return the group number of each target -> "target0" ...; {} unless all jobs have one."""
    names: dict[int, str] = {}
    for job in jobs:
        name, options = str(job.get("jobname", "")), job.get("job options")
        is_target = (
            isinstance(options, Mapping) and "new_group" in options and SECTION.fullmatch(name)
        )
        if not is_target or names.setdefault(group_of(job), name) != name:
            return {}
    return names


def with_whole(parts: Mapping[Key, list[Each]]) -> dict[Key, list[Each]]:
    """Return the parts of all groups under the number WHOLE, followed by those of each group."""
    whole: dict[Key, list[Each]] = {}
    for (_, operation), each in parts.items():
        whole.setdefault((WHOLE, operation), []).extend(each)
    return whole | dict(parts)

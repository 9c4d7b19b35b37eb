"""fio's announcements of jobs, and their assignment to results.

fio announces every section of every call (init.c, add_job) with its name and the number of its
reporting group. It prints results in the same order. A call without announcements states nothing
about its jobs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.tools.fio.parser.access import can_do
from apps.tools.fio.parser.direction import OPERATIONS
from apps.tools.values import Parameters

from .block import Block
from .description import Description


@dataclass
class Announcement:
    """Section of a call; `several`: fio starts more than one job of it."""

    name: str
    group: int
    client: str
    description: Description
    several: bool = False

    @classmethod
    def read(cls, match: re.Match[str], client: str) -> Announcement:
        """Return the announcement in a match of its line."""
        return cls(match["name"].strip(), int(match["group"]), client, Description.read(match))

    @property
    def key(self) -> tuple[str, int, str]:
        """Return a key that is equal for announcements with equal content."""
        return (self.name, self.group, str(self.description))


def of_one_server(announcements: Sequence[Announcement], servers: int) -> list[Announcement]:
    """Return the announcements of one of several servers of a host.

    The lines of the servers may alternate. Return [] if the servers differ.
    """
    counts = Counter(each.key for each in announcements)
    if any(count % servers for count in counts.values()):
        return []
    counts_used: Counter[object] = Counter()
    result = []
    for each in announcements:
        counts_used[each.key] += 1
        if counts_used[each.key] <= counts[each.key] // servers:
            result.append(each)
    return result


def assign(blocks: Sequence[Block], announcements: Sequence[Announcement]) -> None:
    """Set the announcements of each block of one report."""
    for group in {block.group for block in blocks}:
        members_of_group = [block for block in blocks if block.group == group]
        stated = [each for each in announcements if each.group == group]
        for block, members in zip(
            members_of_group, _members(members_of_group, stated), strict=True
        ):
            operations = [name for name in block.operations if name in OPERATIONS]
            fits = all(
                any(can_do(stated[at].description.params["rw"], name) for at in members)
                for name in operations
            )
            block.members = [stated[at].description for at in members] if fits else []
            block.sections = tuple(members)
            block.many = any(stated[at].several for at in members)


def _members(blocks: Sequence[Block], stated: Sequence[Announcement]) -> list[list[int]]:
    """Return the indices of each block's announcements; none if ambiguous."""
    if all(block.jobs == 1 for block in blocks):
        return _by_name(blocks, stated)
    return list(_by_order(blocks, stated))


def _by_name(blocks: Sequence[Block], stated: Sequence[Announcement]) -> list[list[int]]:
    """Return the announcements of jobs that are reported individually."""
    queues = {
        name: _queue(
            [at for at, each in enumerate(stated) if each.name == name],
            stated,
            sum(block.name == name for block in blocks),
        )
        for name in {block.name for block in blocks}
    }
    return [queues[block.name].pop(0) for block in blocks]


def _queue(indices: list[int], stated: Sequence[Announcement], jobs: int) -> list[list[int]]:
    """Return the announcements of `jobs` jobs of one name, in their order."""
    more = [at for at in indices if stated[at].several]
    if len(indices) == 1:
        return [indices] * jobs
    if len(indices) == jobs and not more:
        return [[at] for at in indices]
    if len(more) == 1 and jobs > len(indices):
        return [
            [at] for at in indices for _ in range(jobs - len(indices) + 1 if at == more[0] else 1)
        ]
    if indices and len({str(stated[at].description) for at in indices}) == 1:
        return [[indices[0]]] * jobs
    return [[]] * jobs


def _by_order(blocks: Sequence[Block], stated: Sequence[Announcement]) -> Iterator[list[int]]:
    """Yield the announcements from a block's name up to that of the next block.

    fio reports sections together under the name of the first.
    """
    starts: list[int | None] = []
    at = 0
    for block in blocks:
        index = next((i for i in range(at, len(stated)) if stated[i].name == block.name), None)
        starts.append(index)
        at = at if index is None else index + 1
    present = [start for start in starts if start is not None]
    for start in starts:
        if start is None:
            yield []
        else:
            end = next((other for other in present if other > start), len(stated))
            yield [*range(start, end)]


@dataclass(frozen=True)
class Shared:
    """Common parameters of blocks, and the options in which they differ."""

    params: Parameters = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Shared:
        """Compare all sections of all blocks."""
        if not all(block.members for block in blocks):
            return cls()
        first, *others = [each for block in blocks for each in block.members]
        same = {
            name: value
            for name, value in first.params.items()
            if all(each.params.get(name) == value for each in others)
        }
        stated = {name for each in (first, *others) for name in each.params}
        rounded = {name for each in (first, *others) for name in each.unread}
        return cls(same, tuple(sorted((stated - same.keys()) | rounded)))

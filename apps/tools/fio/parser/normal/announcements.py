"""fio's announcements of jobs, and the results that they belong to.

fio announces every section of every call (init.c, add_job) with its name and the number of its
reporting group, and prints results in the same order. A call without announcements states nothing
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
    """A section of a call. `several`: fio starts more than one job of it."""

    name: str
    group: int
    client: str
    description: Description
    several: bool = False

    @classmethod
    def read(cls, match: re.Match[str], client: str) -> Announcement:
        """Read a match of the line."""
        return cls(match["name"].strip(), int(match["group"]), client, Description.read(match))

    @property
    def key(self) -> tuple[str, int, str]:
        """The same for announcements that state the same."""
        return (self.name, self.group, str(self.description))


def of_one_server(announcements: Sequence[Announcement], servers: int) -> list[Announcement]:
    """Return the announcements of one of several servers of a host, whose lines may alternate; none
    where the servers differ.
    """
    counts = Counter(each.key for each in announcements)
    if any(count % servers for count in counts.values()):
        return []
    taken: Counter[object] = Counter()
    found = []
    for each in announcements:
        taken[each.key] += 1
        if taken[each.key] <= counts[each.key] // servers:
            found.append(each)
    return found


def assign(blocks: Sequence[Block], announcements: Sequence[Announcement]) -> None:
    """Give each block of one report the announcements it belongs to."""
    for group in {block.group for block in blocks}:
        own = [block for block in blocks if block.group == group]
        stated = [each for each in announcements if each.group == group]
        for block, members in zip(own, _members(own, stated), strict=True):
            operations = [name for name in block.operations if name in OPERATIONS]
            fits = all(
                any(can_do(stated[at].description.params["rw"], name) for at in members)
                for name in operations
            )
            block.members = [stated[at].description for at in members] if fits else []
            block.sections = tuple(members)
            block.many = any(stated[at].several for at in members)


def _members(blocks: Sequence[Block], stated: Sequence[Announcement]) -> list[list[int]]:
    """Return the indexes of each block's announcements; none where several might be meant."""
    if all(block.jobs == 1 for block in blocks):
        return _by_name(blocks, stated)
    return list(_by_order(blocks, stated))


def _by_name(blocks: Sequence[Block], stated: Sequence[Announcement]) -> list[list[int]]:
    """Return the announcements of jobs that are reported one by one."""
    queues = {
        name: _queue(
            [at for at, each in enumerate(stated) if each.name == name],
            stated,
            sum(block.name == name for block in blocks),
        )
        for name in {block.name for block in blocks}
    }
    return [queues[block.name].pop(0) for block in blocks]


def _queue(places: list[int], stated: Sequence[Announcement], jobs: int) -> list[list[int]]:
    """Return the announcements of `jobs` jobs of one name, in their order."""
    more = [at for at in places if stated[at].several]
    if len(places) == 1:
        return [places] * jobs
    if len(places) == jobs and not more:
        return [[at] for at in places]
    if len(more) == 1 and jobs > len(places):
        return [
            [at] for at in places for _ in range(jobs - len(places) + 1 if at == more[0] else 1)
        ]
    if places and len({str(stated[at].description) for at in places}) == 1:
        return [[places[0]]] * jobs
    return [[]] * jobs


def _by_order(blocks: Sequence[Block], stated: Sequence[Announcement]) -> Iterator[list[int]]:
    """Yield the announcements from the one with a block's name up to that of the next block: fio
    reports sections together under the name of the first.
    """
    starts: list[int | None] = []
    at = 0
    for block in blocks:
        found = next((i for i in range(at, len(stated)) if stated[i].name == block.name), None)
        starts.append(found)
        at = at if found is None else found + 1
    known = [start for start in starts if start is not None]
    for start in starts:
        if start is None:
            yield []
        else:
            end = next((other for other in known if other > start), len(stated))
            yield [*range(start, end)]


@dataclass(frozen=True)
class Shared:
    """The parameters that blocks have in common, and the options in which they differ."""

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

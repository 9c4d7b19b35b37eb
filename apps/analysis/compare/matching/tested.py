"""Names of tested targets, the same in all runs that are compared.

A disk is named as it was last seen, so that runs before and after a change of names match. A group
such as "fast ones: node1 sdb" holds what the disks were called at the launch; all runs that used
the very same disks and directories have the newest one's name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from apps.runs.models import Member, RunTarget
from apps.runs.selectors import targets_with_rows


@dataclass(frozen=True)
class Tested:
    """A run's target. `host` is the first one; `disk` its key where it is a single disk, and
    `identity` that one's; `today` what a single disk or directory is called now, "" for others.
    """

    host: int
    host_name: str
    name: str
    disk: int | None = None
    identity: str = ""
    today: str = ""


def targets_of(ids: Iterable[int]) -> dict[int, Tested]:
    """These targets of runs by their keys: two queries."""
    rows = targets_with_rows(RunTarget.objects.filter(pk__in=list(ids)), "target")
    members: dict[int, list[Member]] = {}
    parts = Member.objects.filter(run_target__in=rows.values("pk")).select_related("host")
    for member in parts.order_by("position"):
        members.setdefault(member.run_target_id, []).append(member)
    found = {row.pk: _tested(row, members[row.pk][0]) for row in rows}
    return found | _groups([row for row in rows if row.kind == "group"], members, found)


def _tested(row: RunTarget, first: Member) -> Tested:
    thing: Any = row.target.row if row.target is not None else None
    tested = Tested(first.host_id, first.host.name, row.name)
    if thing is None or row.kind not in ("disk", "directory"):
        return tested
    if row.kind == "directory":
        return replace(tested, today=thing.path)
    today = thing.node or thing.identity
    return replace(tested, disk=thing.pk, identity=thing.identity, today=today)


def _groups(
    rows: Iterable[RunTarget], members: dict[int, list[Member]], found: dict[int, Tested]
) -> dict[int, Tested]:
    """Groups by the name that the newest run gave the same disks and directories."""
    used = {
        row.pk: (row.target_id, frozenset((m.host_id, m.identity) for m in members[row.pk]))
        for row in rows
    }
    newest = {used[pk]: found[pk].name for pk in sorted(used)}
    return {pk: replace(found[pk], name=newest[place]) for pk, place in used.items()}

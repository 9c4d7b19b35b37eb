"""Names of tested targets, the same in all runs that are compared.

A disk is named as it was last seen, so that runs before and after a change of names match. A group
such as "fast ones: node1 sdb" holds what the disks were called at the launch; all runs that used
the very same disks and directories have the newest one's name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db import connection

# A row for each member. Disk and directory: as they are today, where that is what was tested.
_QUERY = """
SELECT t.id, t.kind, t.name, t.target_id, m.host_id, h.name, m.identity,
    d.target_id, d.identity, coalesce(nullif(d.device_path, ''), d.identity), f.path
FROM runs_runtarget t
    JOIN runs_member m ON m.run_target_id = t.id JOIN inventory_host h ON h.id = m.host_id
    LEFT JOIN inventory_disk d ON t.kind = 'disk' AND d.target_id = t.target_id
    LEFT JOIN inventory_directory f ON t.kind = 'directory' AND f.target_id = t.target_id
WHERE t.id = ANY (%s) ORDER BY t.id, m.position
""".strip()


@dataclass(frozen=True)
class TargetName:
    """A run's target. `host` is the first one; `disk` its key where it is a single disk, and
    `identity` that one's; `today` what a single disk or directory is called now, "" for others.
    """

    host: int
    host_name: str
    name: str
    disk: int | None = None
    identity: str = ""
    today: str = ""


class _Part(NamedTuple):
    """A member of a run's target, with what both are."""

    run_target: int
    kind: str
    name: str
    target: int | None
    host: int
    host_name: str
    member: str
    disk: int | None
    identity: str | None
    disk_today: str | None
    path: str | None


def target_names(ids: Iterable[int]) -> dict[int, TargetName]:
    """These targets of runs by their keys: one query."""
    members: dict[int, list[_Part]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, [list(ids)])
        for row in cursor.fetchall():
            members[row[0]].append(_Part(*row))
    found = {pk: _tested(mine[0]) for pk, mine in members.items()}
    return found | _groups(members, found)


def _tested(first: _Part) -> TargetName:
    tested = TargetName(first.host, first.host_name, first.name)
    if first.disk is not None:
        return replace(
            tested, disk=first.disk, identity=first.identity or "", today=first.disk_today or ""
        )
    return tested if first.path is None else replace(tested, today=first.path)


def _groups(
    members: Mapping[int, Sequence[_Part]], found: Mapping[int, TargetName]
) -> dict[int, TargetName]:
    """Groups by the name that the newest run gave the same disks and directories."""
    used = {
        pk: (mine[0].target, frozenset((one.host, one.member) for one in mine))
        for pk, mine in members.items()
        if mine[0].kind == "group"
    }
    newest = {used[pk]: found[pk].name for pk in sorted(used)}
    return {pk: replace(found[pk], name=newest[place]) for pk, place in used.items()}

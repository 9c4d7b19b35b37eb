"""Names of tested targets, equal in all compared runs.

A disk has its name as last seen, so that runs before and after a rename match. A group's name, such
as "fast ones: node1 sdb", contains the disk names at launch. All runs on the same disks and
directories use the newest run's name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db import connection

# A row per member. Disk and directory: present rows, if they were the target.
_QUERY = """
SELECT t.id, t.kind, t.name, t.target_id, m.host_id, h.name, m.identity,
    d.target_id, d.identity, coalesce(nullif(d.device_path, ''), d.identity), f.path
FROM runs_runtarget t
    JOIN runs_runtargetmember m ON m.run_target_id = t.id JOIN inventory_host h ON h.id = m.host_id
    LEFT JOIN inventory_disk d ON t.kind = 'disk' AND d.target_id = t.target_id
    LEFT JOIN inventory_directory f ON t.kind = 'directory' AND f.target_id = t.target_id
WHERE t.id = ANY (%s) ORDER BY t.id, m.position
""".strip()


@dataclass(frozen=True)
class TargetName:
    """Target of a run.

    `host`: the first one; `disk` and `identity`: of a single disk; `today`: present name of a
    single disk or directory, else "".
    """

    host: int
    host_name: str
    name: str
    disk: int | None = None
    identity: str = ""
    today: str = ""


class _MemberRow(NamedTuple):
    """Member of a run's target with their present rows."""

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
    """Return these targets of runs by key: one query."""
    members: dict[int, list[_MemberRow]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, [list(ids)])
        for row in cursor.fetchall():
            members[row[0]].append(_MemberRow(*row))
    result = {pk: _target_name(mine[0]) for pk, mine in members.items()}
    return result | _groups(members, result)


def _target_name(first: _MemberRow) -> TargetName:
    tested = TargetName(first.host, first.host_name, first.name)
    if first.disk is not None:
        return replace(
            tested, disk=first.disk, identity=first.identity or "", today=first.disk_today or ""
        )
    return tested if first.path is None else replace(tested, today=first.path)


def _groups(
    members: Mapping[int, Sequence[_MemberRow]], result: Mapping[int, TargetName]
) -> dict[int, TargetName]:
    """Return groups with the name of the newest run on the same disks and directories."""
    used = {
        pk: (mine[0].target, frozenset((one.host, one.member) for one in mine))
        for pk, mine in members.items()
        if mine[0].kind == "group"
    }
    newest = {used[pk]: result[pk].name for pk in sorted(used)}
    return {pk: replace(result[pk], name=newest[key]) for pk, key in used.items()}

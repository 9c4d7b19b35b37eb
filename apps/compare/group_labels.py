"""Groups of disks under one name in all runs: a name such as "fast ones: node1 sdb" holds what the
disks were called at the launch, and a host may call them otherwise after its next start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apps.runs.models import Case

Named = tuple[int, str]
"""(group's id, its name at the launch)"""


def group_labels(rows: Iterable[dict[str, Any]]) -> dict[Named, str]:
    """What each group is called here: by the newest case that used the very same disks and
    directories. One query, none where no row is about a group.
    """
    newest: dict[Named, int] = {}
    for row in rows:
        if row["case__group_id"]:
            place = (row["case__group_id"], row["case__target_name"])
            newest[place] = max(newest.get(place, 0), row["case_id"])
    if len(newest) < 2:
        return {}
    members = dict(Case.objects.filter(pk__in=newest.values()).values_list("pk", "members"))
    labels: dict[tuple[int, frozenset[tuple[int, str]]], str] = {}
    for place, case in sorted(newest.items(), key=lambda item: item[1]):
        labels[place[0], _used(members[case])] = place[1]
    return {place: labels[place[0], _used(members[case])] for place, case in newest.items()}


def _used(members: list[dict[str, Any]]) -> frozenset[tuple[int, str]]:
    return frozenset((member["host"], member["identity"]) for member in members)

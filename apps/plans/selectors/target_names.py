"""Values of targets in forms and API.

"disk:12", "directory:3", "pool:4", "group:2", "pair:5-7" (client and server host).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from apps.inventory.models import HostPair
from apps.plans.selectors.target_kinds import KINDS, kind_of
from apps.plans.selectors.targets_offered import hosts_offered

VALUE = re.compile(r"([a-z_]{1,20}):([0-9]{1,18})(?:-([0-9]{1,18}))?")
PAIR = "pair"
Named = dict[str, object]
"""Rows of the lab by their values."""


def target_value(row: Any) -> str:
    """Return the value of a target row."""
    if isinstance(row, HostPair):
        return f"pair:{row.client_id}-{row.server_id}"
    return f"{kind_of(row).name}:{row.pk}"


def targets_named(values: Iterable[str]) -> list[Any]:
    """Return the targets of such values with their hosts' facts, in order.

    A pair without a row is a new instance, which saving the plan stores. Unknown values and hosts
    of the archive are left out.
    """
    requested = list(dict.fromkeys(str(value) for value in values))
    keys: dict[str, list[int]] = {}
    pairs: dict[str, tuple[int, int]] = {}
    for value in requested:
        match = VALUE.fullmatch(value)
        if match and match[3] is None and match[1] in KINDS and match[1] != PAIR:
            keys.setdefault(match[1], []).append(int(match[2]))
        elif match and match[3] is not None and match[1] == PAIR:
            pairs[value] = (int(match[2]), int(match[3]))
    result = _rows(keys) | pairs_of(pairs)
    return [result[value] for value in requested if value in result]


def pairs_of(requested: dict[str, tuple[int, int]]) -> Named:
    """Return pairs by their values: stored ones, and new instances for the others."""
    if not requested:
        return {}
    ids = {pk for ends in requested.values() for pk in ends}
    hosts = hosts_offered().select_related("facts").in_bulk(list(ids))
    rows = HostPair.objects.filter(client__in=ids, server__in=ids)
    known = {(row.client_id, row.server_id): row.pk for row in rows}
    result: Named = {}
    for value, (client, server) in requested.items():
        if client in hosts and server in hosts and client != server:
            pk = known.get((client, server))
            result[value] = HostPair(pk=pk, client=hosts[client], server=hosts[server])
    return result


def mesh_of(hosts: Iterable[int]) -> list[str]:
    """Return every ordered pair of these hosts, as values."""
    ids = list(dict.fromkeys(hosts))
    return [f"pair:{one}-{other}" for one in ids for other in ids if one != other]


def _rows(keys: dict[str, list[int]]) -> Named:
    rows = [row for kind, ids in keys.items() for row in KINDS[kind].named().filter(pk__in=ids)]
    return {target_value(row): row for row in rows}

"""Blocks that PostgreSQL reads for a request: each of its queries is explained while it is
executed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db import connection
from django.test.utils import CaptureQueriesContext


class Scan(NamedTuple):
    """A node of a plan that read a table: how, by which index, and how many rows it looked at,
    those that a condition left out included.
    """

    what: str
    table: str
    by: str
    rows: int


def scans_of(queries: CaptureQueriesContext) -> list[Scan]:
    """The scans of all captured SELECTs, executed once more."""
    found: list[Scan] = []
    for query in queries.captured_queries:
        if query["sql"].startswith("SELECT"):
            found += scans(query["sql"])
    return found


def scans(sql: str) -> list[Scan]:
    """The scans of one query."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}")
        (told,) = cursor.fetchone()
    plan = json.loads(told) if isinstance(told, str) else told
    return list(_nodes(plan[0]["Plan"]))


PlanNode = dict[str, Any]
"""A node of EXPLAIN (FORMAT JSON), by PostgreSQL's names."""


def _nodes(node: PlanNode) -> Iterator[Scan]:
    if "Relation Name" in node or "Index Name" in node:
        looked = node["Actual Rows"] + sum(
            node.get(f"Rows Removed by {why}", 0) for why in ("Filter", "Index Recheck")
        )
        rows = round(looked * node["Actual Loops"])
        yield Scan(
            node["Node Type"], node.get("Relation Name", ""), node.get("Index Name", ""), rows
        )
    for inner in node.get("Plans") or ():
        yield from _nodes(inner)


def worst(found: Iterable[Scan]) -> str:
    """The scans that read most, in words."""
    rows = sorted(found, key=lambda scan: -scan.rows)[:3]
    return "; ".join(f"{s.rows} rows: {s.what} {s.table or '-'} {s.by}".rstrip() for s in rows)

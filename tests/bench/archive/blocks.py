"""`python -m tests.bench.archive.blocks`: pages of PostgreSQL that each address reads.

The addresses come as a JSON list on stdin; on stdout by address: queries, blocks, and the query
with most of them. Blocks do not depend on what else the machine does, as seconds do.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TypedDict

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
import django

django.setup()

from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from apps.accounts.models import User  # noqa: E402

READS = ("SELECT", "WITH", "(SELECT")


class Blocks(TypedDict):
    """Blocks of 8 KiB that an address reads, and the query that reads most of them."""

    queries: int
    blocks: int
    worst: int
    sql: str


def blocks_of(client: Client, address: str) -> Blocks:
    """Ask for an address without what the cache has of it, and explain each of its queries."""
    cache.clear()
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, follow=True)
        getattr(answer, "content", None)
    if answer.status_code != 200:
        raise SystemExit(f"{address} answers {answer.status_code}")
    asked = [query["sql"] for query in captured.captured_queries]
    read = [(sql_blocks(sql), sql) for sql in asked if sql.startswith(READS)]
    worst, sql = max(read, default=(0, ""))
    total = sum(blocks for blocks, _sql in read)
    return {"queries": len(asked), "blocks": total, "worst": worst, "sql": sql}


def sql_blocks(sql: str) -> int:
    """Return the blocks that a query reads, from memory or the disk."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {sql}")
        (answer,) = cursor.fetchone()
    plan: dict[str, Any] = (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
    return sum(int(plan[f"Shared {how} Blocks"]) for how in ("Hit", "Read"))


def main(addresses: list[str]) -> None:
    client = Client()
    client.force_login(User.objects.order_by("pk")[0])
    print(json.dumps({address: blocks_of(client, address) for address in addresses}))


if __name__ == "__main__":
    main(json.load(sys.stdin))

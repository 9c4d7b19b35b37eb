"""A numbered database of the tests' Valkey for each benchlab: hints and live figures of two, whose
runs have the same numbers, must not meet.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import psycopg
import redis

KEY = 7_261_945
"""First half of the advisory locks by which databases are claimed; the second is the number."""
CLAIM = "SELECT pg_try_advisory_lock(%s, %s)"


@contextlib.contextmanager
def own_broker() -> Iterator[str]:
    """The address of an empty database of the server that REDIS_URL names, which no other benchlab
    of these tests uses meanwhile. Its number is claimed in PostgreSQL, so that it is free again
    however this process ends.
    """
    base = os.environ["REDIS_URL"].partition("?")[0]
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        url = f"{base}?db={_claimed(connection, _databases(base))}"
        with redis.Redis.from_url(url) as client:
            client.flushdb()
        yield url


def _databases(base: str) -> int:
    with redis.Redis.from_url(base) as client:
        return int(client.config_get("databases")["databases"])


def _claimed(connection: psycopg.Connection, number: int) -> int:
    """The lowest that is free; 0 is the tests' own."""
    for each in range(1, number):
        row = connection.execute(CLAIM, [KEY, each]).fetchone()
        if row and row[0]:
            return each
    raise RuntimeError(f"all {number} databases of Valkey are in use")

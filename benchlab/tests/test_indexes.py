"""No index of ours does what another one does as well: each costs every write."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

# Column, operator class and order of each key of every index, with what makes it another one.
INDEXES = """
    SELECT t.relname, i.relname, x.indisunique, am.amname,
        coalesce(pg_get_expr(x.indpred, x.indrelid), ''),
        array_agg(concat_ws(' ', pg_get_indexdef(x.indexrelid, n, false), x.indclass[n - 1],
            x.indoption[n - 1]) ORDER BY n)
    FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_class t ON t.oid = x.indrelid
    JOIN pg_am am ON am.oid = i.relam
    JOIN pg_namespace s ON s.oid = t.relnamespace AND s.nspname = 'public',
    generate_series(1, x.indnkeyatts) AS n
    GROUP BY 1, 2, 3, 4, 5"""


@dataclass(frozen=True)
class Index:
    table: str
    name: str
    unique: bool
    method: str
    condition: str
    keys: tuple[str, ...]

    def does_what(self, other: Index) -> bool:
        """Whether whoever asks `other` may ask this one: it begins alike and has the same rows."""
        return (
            self.method == other.method == "btree"
            and self.condition == other.condition  # one of fewer rows is kept small on purpose
            and self.keys[: len(other.keys)] == other.keys
        )


def redundant(indexes: list[Index]) -> set[str]:
    """Names of indexes that another index of their table does the work of."""
    return {
        one.name
        for one, other in permutations(indexes, 2)
        if not one.unique and one.table == other.table and other.does_what(one)
    }


def our_tables() -> set[str]:
    """Without those that Django makes for many to many relations, whose indexes it chooses; they
    are small.
    """
    ours = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
    return {model._meta.db_table for model in ours}


def _index(row: tuple[Any, ...]) -> Index:
    table, name, unique, method, condition, keys = row
    return Index(table, name, unique, method, condition, tuple(keys))


@pytest.mark.django_db
def test_no_index_is_the_beginning_of_another() -> None:
    with connection.cursor() as cursor:
        cursor.execute(INDEXES)
        found = [_index(row) for row in cursor.fetchall()]
    tables = our_tables()
    ours = [index for index in found if index.table in tables]
    assert len(ours) > 80
    assert redundant(ours) == set()


def test_what_is_redundant() -> None:
    def index(name: str, *keys: str, unique: bool = False, condition: str = "") -> Index:
        return Index("t", name, unique, "btree", condition, keys)

    number = index("number", "case", "number", unique=True)
    assert redundant([number, index("case", "case")]) == {"case"}
    assert redundant([number, index("case", "case", unique=True)]) == set()
    assert redundant([number, index("other", "number")]) == set()
    open_ones = index("open", "case", "state", condition="open")
    assert redundant([open_ones, index("case", "case")]) == set()
    assert redundant([open_ones, index("part", "case", condition="open")]) == {"part"}
    assert redundant([number, index("few", "case", condition="open")]) == set()
    elsewhere = Index("u", "case", False, "btree", "", ("case",))
    assert redundant([number, elsewhere]) == set()


@pytest.mark.django_db
def test_a_part_of_a_run_s_name_is_found_by_an_index() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT id FROM runs_run WHERE UPPER(name::text) LIKE UPPER('%night%')"
        )
        plan = " ".join(line for (line,) in cursor.fetchall())
    assert "runs_by_parts_of_name" in plan

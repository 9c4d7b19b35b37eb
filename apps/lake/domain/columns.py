"""Columns and tables of the lake: name, kind, SQL expression. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "text",
    "integer",
    "small",
    "number",
    "flag",
    "moment",
    "texts",
    "integers",
    "samples",
    "message",
]
TYPES: dict[Kind, str] = {
    "text": "string", "integer": "int64", "small": "int32", "number": "double", "flag": "bool",
    "moment": "timestamp[us, tz=UTC]", "texts": "list<string>", "integers": "list<int64>",
    "samples": "list<float>", "message": "string",
}  # fmt: skip
"""Type of each kind in manifests. The type of a column never changes."""
LARGEST = 9.2e18
"""Values beyond it do not fit into 64 bits and are NULL; in nanoseconds these are 292 years."""


@dataclass(frozen=True)
class Column:
    """Column; `about_people`: NULL without --people, so that the schema is always the same."""

    name: str
    kind: Kind
    sql: str
    about_people: bool = False


@dataclass(frozen=True)
class Table:
    """Table: a query of `columns` from `source`, for the keys of one batch in `order`.

    `of_runs`: rows belong to runs and are in the month of their run, else to facts of hosts.
    `bytes_a_row`: for estimates before the first export.
    """

    name: str
    source: str
    order: str
    columns: Sequence[Column]
    bytes_a_row: int
    of_runs: bool = True

    @property
    def schema(self) -> dict[str, str]:
        """Return the type of each column, for manifests."""
        return {column.name: TYPES[column.kind] for column in self.columns}

    def select(self, *, people: bool) -> str:
        """Return the query of a batch; its parameter is an array of keys."""
        chosen = (
            "NULL" if column.about_people and not people else column.sql for column in self.columns
        )
        key = "r.id" if self.of_runs else "f.id"
        return (
            f"SELECT {', '.join(chosen)} FROM {self.source} "
            f"WHERE {key} = ANY (%s) ORDER BY {self.order}"
        )

    def count(self) -> str:
        """Return the query of the number of rows of a batch."""
        key = "r.id" if self.of_runs else "f.id"
        return f"SELECT count(*) FROM {self.source} WHERE {key} = ANY (%s)"


def nanoseconds(sql: str) -> str:
    """Return an expression in whole nanoseconds."""
    return f"CASE WHEN {sql} < {LARGEST} THEN round({sql})::bigint END"


def whole_number(sql: str) -> str:
    """Return the whole number of a JSON expression, which a host reports; NULL for other values."""
    number = f"({sql} #>> '{{}}')::numeric"
    return (
        f"CASE WHEN jsonb_typeof({sql}) = 'number' THEN "
        f"CASE WHEN abs({number}) < {LARGEST} THEN round({number})::bigint END END"
    )


def text_or_null(sql: str) -> str:
    """Return an expression with NULL for an empty text."""
    return f"NULLIF({sql}, '')"

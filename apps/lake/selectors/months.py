"""Months of the lake, with the digests of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection

from apps.lake.domain.tables import RUNS, TABLES
from apps.runs.models import FINAL_RUN

BATCH_CASES, BATCH_FACTS = 5_000, 500
"""Rows of a query. A single run may have more cases."""
_MONTH = "to_char({moment} AT TIME ZONE 'UTC', 'YYYY-MM')"
_STATES = ", ".join(f"'{state.value}'" for state in FINAL_RUN)
_ENDED = f"r.state IN ({_STATES})"
_RUN_MONTH = _MONTH.format(moment="r.queued_at")
_FACTS_MONTH = _MONTH.format(moment="f.collected_at")
# The columns of the table of runs include the results version.
_RUNS = (
    "SELECT {month}, md5(string_agg(md5(ROW({columns})::text), '' ORDER BY r.id)) "
    "FROM {source} WHERE {ended} {one} GROUP BY 1 ORDER BY 1"
)
_FACTS = (
    "SELECT {month}, md5(string_agg(f.id || f.digest || h.name, ',' ORDER BY f.id)) "
    "FROM inventory_hostfacts AS f JOIN inventory_host AS h ON h.id = f.host_id "
    "WHERE TRUE {one} GROUP BY 1 ORDER BY 1"
)


@dataclass(frozen=True)
class Month:
    """Month with the digests of its rows; empty without rows."""

    name: str
    runs: str = ""
    facts: str = ""


def months(*, people: bool) -> list[Month]:
    """Return the months with ended runs or facts of hosts, ascending."""
    runs, facts = _digests(_runs_sql(people=people)), _digests(_facts_sql())
    names = sorted(runs.keys() | facts.keys())
    return [Month(name, runs.get(name, ""), facts.get(name, "")) for name in names]


def month_now(name: str, *, people: bool) -> Month:
    """Return a month as the open transaction sees it."""
    runs = _digests(_runs_sql(f"AND {_RUN_MONTH} = %s", people=people), name)
    facts = _digests(_facts_sql(f"AND {_FACTS_MONTH} = %s"), name)
    return Month(name, runs.get(name, ""), facts.get(name, ""))


def _runs_sql(one: str = "", *, people: bool) -> str:
    columns = (one.sql for one in RUNS.columns if people or not one.about_people)
    return _RUNS.format(
        month=_RUN_MONTH, columns=", ".join(columns), source=RUNS.source, ended=_ENDED, one=one
    )


def _facts_sql(one: str = "") -> str:
    return _FACTS.format(month=_FACTS_MONTH, one=one)


def _digests(sql: str, *values: str) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return dict(cursor.fetchall())


def run_batches(month: str) -> Iterator[list[int]]:
    """Yield the ids of the ended runs of a month, BATCH_CASES cases at a time."""
    sql = (
        f"SELECT r.id, r.case_count FROM runs_run AS r WHERE {_ENDED} AND {_RUN_MONTH} = %s "
        "ORDER BY r.id"
    )
    batch: list[int] = []
    cases = 0
    for key, count in _rows(sql, month):
        if batch and cases + count > BATCH_CASES:
            yield batch
            batch, cases = [], 0
        batch.append(key)
        cases += count
    if batch:
        yield batch


def facts_batches(month: str) -> Iterator[list[int]]:
    """Yield the ids of the facts of a month, BATCH_FACTS at a time."""
    sql = f"SELECT f.id FROM inventory_hostfacts AS f WHERE {_FACTS_MONTH} = %s ORDER BY f.id"
    keys = [key for (key,) in _rows(sql, month)]
    for start in range(0, len(keys), BATCH_FACTS):
        yield keys[start : start + BATCH_FACTS]


def _rows(sql: str, *values: str) -> list[tuple[int, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def row_counts(month: str) -> dict[str, int]:
    """Return the number of rows of each table in a month."""
    counts = dict.fromkeys((table.name for table in TABLES), 0)
    batches = {True: list(run_batches(month)), False: list(facts_batches(month))}
    with connection.cursor() as cursor:
        for table in TABLES:
            for keys in batches[table.of_runs]:
                cursor.execute(table.count(), [keys])
                counts[table.name] += cursor.fetchone()[0]
    return counts

"""Stamps of what answers rest on: another one after any change of the rows that they read.

A row that is written again carries the number of the transaction that wrote it (xmin) and stands at
another place (ctid), so its key and both together name one version of it. A stamp is one query,
which reads the heads of rows and no figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import BigIntegerField, F, QuerySet
from django.db.models.expressions import RawSQL

from apps.results.models import Figure

Stamp = list[list[int | None]]


@dataclass(frozen=True)
class Basis:
    """`figures`: all that an answer is made from; `runs` (ids): where whole runs are meant, also
    their tests without a figure; `tables`: names of TABLES, those that the answer reads.
    """

    figures: QuerySet[Figure]
    tables: tuple[str, ...]
    runs: Sequence[int] = ()


def stamp_of(basis: Basis) -> Stamp:
    """The stamp of a basis, a count and a number for each table."""
    figures, params = _selected(basis.figures)
    parts = " UNION ALL ".join(
        f"(SELECT {place}, * FROM ({TABLES[table]}) one)"
        for place, table in enumerate(basis.tables)
    )
    query = f"WITH f AS MATERIALIZED ({figures}), r AS (SELECT unnest(%s::bigint[]) AS id) {parts}"
    with connection.cursor() as cursor:
        cursor.execute(query, [*params, list(basis.runs)])
        return [list(row) for row in cursor.fetchall()]


def _selected(rows: QuerySet[Figure]) -> tuple[str, tuple[Any, ...]]:
    """SQL of the figures' versions, with the keys of what they share, and its parameters."""
    named = rows.order_by().values(
        version=RawSQL(_FIGURE, (), BigIntegerField()), m=F("pk"), own_target=F("run_target_id"),
        own_tuning=F("run_tuning_id"), own_run=F("run_id"), load=F("workload_id"),
        did=F("operation"), since=F("at"),
    )  # fmt: skip
    try:
        return named.query.sql_with_params()
    except EmptyResultSet:  # nothing can fit, as Django knows without asking
        return _selected(Figure.objects.filter(pk=0))


def version(table: str, key: str = "id", hashed: str = "hashint8extended") -> str:
    """SQL of a number that names one version of a row."""
    place = f"hashtidextended({table}.ctid, {table}.xmin::text::bigint)"
    return f"{hashed}({table}.{key}, {place})"


def versions(table: str, rest: str = "", hashed: str = "hashint8extended") -> str:
    """All versions of a table's rows, those that `rest` leaves."""
    return f"SELECT count(*), bit_xor({version(table, 'id', hashed)}) FROM {table} {rest}"


def names(table: str, columns: str) -> str:
    """Of inventory, which is small, what stands in answers; the rest of it changes all day."""
    told = f"bit_xor(hashtextextended(concat_ws('/', {columns}), 0))"
    return f"SELECT count(*), {told} FROM {table}"


_FIGURE = version(Figure._meta.db_table, "measurement_id")
_RUN = "IN (SELECT id FROM r)"
_OF_RUN = f"WHERE run_id {_RUN}"
_OF_CASE = f"JOIN runs_case c ON c.id = case_id WHERE c.run_id {_RUN}"
_RUNS = "SELECT own_run FROM f UNION SELECT id FROM r"
_TARGETS = "SELECT own_target FROM f UNION SELECT id FROM runs_runtarget " + _OF_RUN
_TUNINGS = "SELECT own_tuning FROM f UNION SELECT id FROM runs_runtuning " + _OF_RUN
_LOADS = "SELECT load FROM f UNION SELECT workload_id FROM runs_case " + _OF_RUN
_HELD = "run_id IN (SELECT run_id FROM results_baseline) AND workload_id IN (SELECT load FROM f)"
# Which figures over time there are is asked of the newest result of each operation.
_NEWEST = "SELECT DISTINCT ON (did) m FROM f ORDER BY did, since DESC, m DESC"
_SERIES = (
    f"{_OF_RUN} OR attempt_id IN "
    f"(SELECT attempt_id FROM results_measurement WHERE id IN ({_NEWEST}))"
)

TABLES: Mapping[str, str] = {
    "results_figure": "SELECT count(*), bit_xor(version) FROM f",
    "results_baseline": versions("results_baseline"),
    "figures of baselines": "SELECT count(*), "
    f"bit_xor({_FIGURE}) FROM results_figure WHERE {_HELD}",
    "results_measurement": versions("results_measurement", _OF_CASE),
    "results_histogram": versions("results_histogram", "WHERE measurement_id IN (SELECT m FROM f)"),
    "results_series": versions("results_series", _SERIES),
    "plans_workload": versions("plans_workload", f"WHERE id IN ({_LOADS})"),
    "runs_run": versions("runs_run", f"WHERE id IN ({_RUNS})"),
    "runs_case": versions("runs_case", _OF_RUN),
    "runs_attempt": versions("runs_attempt", _OF_CASE, "uuid_hash_extended"),
    "runs_addition": versions("runs_addition", _OF_RUN),
    "runs_until": versions("runs_until", _OF_RUN),
    "runs_decision": versions("runs_decision", _OF_RUN),
    "runs_runtarget": versions("runs_runtarget", f"WHERE id IN ({_TARGETS})"),
    "runs_runtuning": versions("runs_runtuning", f"WHERE id IN ({_TUNINGS})"),
    "runs_member": versions("runs_member", f"WHERE run_target_id IN ({_TARGETS})"),
    "runs_runexpectation": versions("runs_runexpectation", f"WHERE run_target_id IN ({_TARGETS})"),
    "inventory_diskexpectation": versions("inventory_diskexpectation"),
    "inventory_target": versions("inventory_target"),
    "inventory_host": names("inventory_host", "id, name"),
    "inventory_disk": names("inventory_disk", "id, node, identity, model, target_id"),
    "inventory_directory": names("inventory_directory", "id, path, target_id"),
    "inventory_pool": names("inventory_pool", "id, name, target_id"),
    "inventory_targetgroup": names("inventory_targetgroup", "id, name, target_id"),
    "inventory_hostpair": names("inventory_hostpair", "id, client_id, server_id, target_id"),
}
"""SQL of the stamp of each table, by its name; of figures once more by those of baselines."""

"""The table of figures held against what it must hold, and made anew: the database's own view and
function do both (migration `figures`), the same ones that its triggers use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection, transaction

from apps.runs.versions import runs_touch

BATCH = 20_000
_DIFFERENCE = """
SELECT count(*) FILTER (WHERE f.measurement_id IS NULL),
       count(*) FILTER (WHERE d.measurement_id IS NULL),
       count(*) FILTER (WHERE f.measurement_id = d.measurement_id
                          AND ROW(f.*) IS DISTINCT FROM ROW(d.*))
FROM results_figure AS f FULL JOIN results_figure_due AS d USING (measurement_id)
"""
_NEXT = """
SELECT array_agg(id) FROM (
    (SELECT id FROM results_measurement WHERE id > %(after)s ORDER BY id LIMIT %(most)s)
    UNION
    (SELECT measurement_id FROM results_figure WHERE measurement_id > %(after)s
     ORDER BY measurement_id LIMIT %(most)s)
    ORDER BY id LIMIT %(most)s
) AS batch
"""

_RUNS = """
SELECT run_id FROM results_figure WHERE measurement_id = ANY(%(batch)s)
UNION
SELECT c.run_id FROM results_measurement m JOIN runs_case c ON c.id = m.case_id
WHERE m.id = ANY(%(batch)s)
"""


@dataclass(frozen=True)
class FigureDifference:
    """Rows of the table that are not as the measurements say."""

    missing: int
    needless: int
    wrong: int

    def __bool__(self) -> bool:
        return bool(self.missing or self.needless or self.wrong)

    def __str__(self) -> str:
        if not self:
            return "The table of figures is as the measurements say."
        return (
            f"The table of figures differs from the measurements: {self.missing} rows are missing, "
            f"{self.needless} belong to no measurement, {self.wrong} say something else. "
            "manage.py figures makes it anew."
        )


def figures_difference() -> FigureDifference:
    """Compare the whole table with the measurements; nothing is written."""
    with connection.cursor() as cursor:
        cursor.execute(_DIFFERENCE)
        return FigureDifference(*cursor.fetchone())


def figures_renew() -> Iterator[tuple[int, int]]:
    """Make the table anew, BATCH measurements in a transaction: what is right stays untouched, so
    it may be stopped and started again. Pages of the runs of a batch that was not right are made
    anew. Yields (measurements looked at, rows written) of each batch.
    """
    after = 0
    while batch := _next(after):
        yield len(batch), _renewed(batch)
        after = batch[-1]


@transaction.atomic
def _renewed(batch: list[int]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_RUNS, {"batch": batch})
        runs = [run for (run,) in cursor.fetchall()]
        cursor.execute("SELECT results_figures_write(%s)", [batch])
        written = int(cursor.fetchone()[0])
    if written:
        runs_touch(runs)
    return written


def _next(after: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_NEXT, {"after": after, "most": BATCH})
        return sorted(cursor.fetchone()[0] or ())

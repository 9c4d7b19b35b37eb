"""Many results at once: the database copies a small run, row by row and with other figures."""

from __future__ import annotations

from django.db import connection, models

from apps.plans.models import Workload
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Attempt, Case

APART = 10**8
"""Between the ids of one copy and those of the next."""


def multiply_results(copies: int) -> None:
    """Copy all workloads, cases, attempts and measurements there are so many times: each copy with
    workloads of another size, its cases after those of the copy before, its figures within 1 %.
    """
    cases = Case.objects.count()
    size = "(params->>'size')::bigint * (copy + 1)"
    uuid = "md5({}::text || copy)::uuid"
    noise = "(1 + 0.01 * sin(id * copy))"
    figures = [f.attname for f in Measurement._meta.fields if isinstance(f, models.FloatField)]
    shift = f"+ copy * {APART}"
    _copy(
        Workload,
        copies,
        id=f"id {shift}",
        key="md5(key || copy)",
        params=f"jsonb_set(params, '{{size}}', to_jsonb({size}))",
    )
    _copy(
        Case,
        copies,
        id=f"id {shift}",
        workload_id=f"workload_id {shift}",
        sequence=f"sequence + copy * {cases}",
        params=f"jsonb_set(params, '{{size}}', to_jsonb({size}))",
    )
    _copy(
        Attempt,
        copies,
        id=uuid.format("id"),
        case_id=f"case_id {shift}",
        started_at=f"started_at + copy * {cases} * interval '70 seconds'",
    )
    _copy(
        Measurement,
        copies,
        id=f"id {shift}",
        case_id=f"case_id {shift}",
        attempt_id=uuid.format("attempt_id"),
        workload_id=f"workload_id {shift}",
        **{name: f"{name} * {noise}" for name in figures},
    )
    # In the field autovacuum tells the planner how many there are. Without it, ten thousand rows
    # are joined as if they were one, which takes minutes.
    with connection.cursor() as cursor:
        for model in (Workload, Case, Attempt, Measurement):
            cursor.execute(f"ANALYZE {model._meta.db_table}")
    summaries_rebuild()


def _copy(model: type[models.Model], copies: int, **changed: str) -> None:
    """Every row again, `copies` times; SQL for the columns that are not taken as they are."""
    columns = [field.attname for field in model._meta.concrete_fields]
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(changed.get(name, f'"{name}"') for name in columns)
    table = model._meta.db_table
    source = f'"{table}", generate_series(1, {copies}) AS copy'
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{table}" ({names}) SELECT {values} FROM {source}')

"""Plan of an export: months and tables that it writes again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.lake.domain.columns import Table
from apps.lake.domain.manifest import Manifest, MonthDigests
from apps.lake.domain.tables import SCHEMA_VERSION, TABLES
from apps.lake.selectors.months import Month, months, row_counts
from apps.lake.selectors.rows import snapshot
from apps.lake.services.state import LakeState


@dataclass(frozen=True)
class MonthPlan:
    """Tables of a month that an export writes, and those whose files stay."""

    month: str
    write: Sequence[Table]
    keep: Sequence[Table]


@dataclass(frozen=True)
class LakeEstimate:
    """Rows and bytes that an export would write, by table."""

    months: Sequence[MonthPlan]
    rows: dict[str, int]
    size_bytes: dict[str, int]
    deleted_months: Sequence[str]


def plans_of(state: LakeState, *, people: bool) -> list[MonthPlan]:
    """Return the plan of each month that has rows, ascending."""
    return [month_plan(state, month, people=people) for month in months(people=people)]


def month_plan(state: LakeState, month: Month, *, people: bool) -> MonthPlan:
    """Return the tables of a month whose rows moved, whose files are missing, or all of them."""
    manifest = state.manifest
    every = manifest is None or is_rewritten(manifest, people=people)
    before = manifest.months.get(month.name, MonthDigests()) if manifest else MonthDigests()
    write: list[Table] = []
    keep: list[Table] = []
    for table in TABLES:
        digest = month.runs if table.of_runs else month.facts
        if not digest:
            continue
        is_same = digest == (before.runs if table.of_runs else before.facts)
        same = not every and is_same and _has_files(state, table, month.name)
        (keep if same else write).append(table)
    return MonthPlan(month.name, write, keep)


def is_rewritten(manifest: Manifest, *, people: bool) -> bool:
    """Return True if all months must be written again."""
    return manifest.schema_version != SCHEMA_VERSION or manifest.people != people


def _has_files(state: LakeState, table: Table, month: str) -> bool:
    assert state.manifest is not None
    files = state.manifest.files_of(table.name, month)
    return bool(files) and all(file.path in state.names for file in files)


def estimate(state: LakeState, *, people: bool) -> LakeEstimate:
    """Return what an export would write, with rows counted and bytes estimated."""
    rows: dict[str, int] = defaultdict(int)
    with snapshot():
        plans = plans_of(state, people=people)
        for plan in plans:
            counts = row_counts(plan.month) if plan.write else {}
            for table in plan.write:
                rows[table.name] += counts[table.name]
    sizes = dict(_sizes(state.manifest))
    gone = state.manifest.months.keys() - {plan.month for plan in plans} if state.manifest else ()
    return LakeEstimate(
        [plan for plan in plans if plan.write],
        dict(rows),
        {name: round(number * sizes[name]) for name, number in rows.items()},
        sorted(gone),
    )


def _sizes(manifest: Manifest | None) -> Iterator[tuple[str, float]]:
    """Yield the bytes of a row of each table: those of the present lake, if it has some."""
    for table in TABLES:
        files = [file for file in manifest.files if file.table == table.name] if manifest else []
        rows = sum(file.rows for file in files)
        yield table.name, sum(file.bytes for file in files) / rows if rows else table.bytes_a_row

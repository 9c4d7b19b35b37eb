"""A small archive over two months, and its lake read by DuckDB."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from apps.accounts.models import User
from apps.lake.models import LakeExport
from apps.lake.services.export import lake_export
from apps.results.services.attempt_results import results_store
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, Run
from apps.runs.tests.factories import create_attempt, create_run, end_run
from apps.tools import parse_result

OCTOBER, NOVEMBER = datetime(2026, 10, 31, 23, 59, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)


def create_ended_run(owner: User, queued_at: datetime = NOVEMBER) -> Run:
    """An ended run of that time with a result, a histogram and four series."""
    run = create_run(owner=owner)
    attempt = create_attempt(run.cases.get(), started_at=queued_at)
    create_results(attempt)
    Run.objects.filter(pk=run.pk).update(queued_at=queued_at)
    return end_run(run)


def reparse(run: Run, iops: float) -> None:
    """Store another result of the run's attempt, as a new parser would."""
    from apps.runs.services.versions import runs_touch

    measured = parse_result.Measurement("read", iops=iops, bandwidth=1.0)
    parsed = parse_result.Parsed("fio", "json+", "3.33", (measured,))
    results_store(attempt=Attempt.objects.get(case__run=run), parsed=parsed, parser_version=2)
    runs_touch([run.pk])


def export(folder: Path | str, *, people: bool = False) -> LakeExport:
    return lake_export(location=str(folder), people=people)


def manifest(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "_manifest.json").read_bytes())
    return document


def paths(folder: Path, table: str, month: str = "") -> list[str]:
    """The files of a table that the manifest names."""
    return [
        file["path"]
        for file in manifest(folder)["files"]
        if file["table"] == table and month in ("", file["month"])
    ]


@contextmanager
def lake(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with the views of lake.sql."""
    with duckdb.connect() as connection:
        connection.execute(f"SET VARIABLE lake = '{folder}'; SET TimeZone = 'UTC'")
        connection.execute((folder / "lake.sql").read_text())
        yield connection


def files(folder: Path) -> set[str]:
    return {
        os.path.relpath(os.path.join(where, name), folder)
        for where, _folders, names in os.walk(folder)
        for name in names
    }

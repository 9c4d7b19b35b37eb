"""The rows of a lake are those of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.dataset
import pyarrow.parquet
import pytest
from django.db import connection

from apps.accounts.models import User
from apps.lake.domain.tables import TABLES
from apps.lake.tests.world import (
    NOVEMBER,
    OCTOBER,
    create_ended_run,
    export,
    files,
    lake,
    manifest,
    paths,
)
from apps.results.models import Measurement
from apps.runs.models import Case, Run, RunState
from apps.tools.messages import message

pytestmark = pytest.mark.django_db(transaction=True)
MONTH = "to_char(r.queued_at AT TIME ZONE 'UTC', 'YYYY-MM')"
FROM = "FROM runs_run r JOIN runs_case c ON c.run_id = r.id"
SAME = {
    "measurements": (
        "count(*), sum(m.iops), sum(m.bandwidth), sum(round(m.latency_p99)::bigint), "
        "sum(m.latency_mean), count(*) FILTER (WHERE s.is_comparable)",
        f"{FROM} JOIN results_measurement m ON m.case_id = c.id "
        "JOIN results_resultsummary s ON s.measurement_id = m.id",
        "count(*), sum(iops), sum(bandwidth_bytes_per_second), sum(latency_p99_ns), "
        "sum(latency_mean_exact_ns), count(*) FILTER (WHERE is_comparable)",
    ),
    "histograms": (
        "count(*), sum((SELECT sum(x) FROM unnest(h.counts) x)), "
        "sum((SELECT sum(x) FROM unnest(h.bins) x))",
        f"{FROM} JOIN results_measurement m ON m.case_id = c.id "
        "JOIN results_histogram h ON h.measurement_id = m.id",
        "count(*), sum(list_sum(counts)), sum(list_sum(bins_ns))",
    ),
    "series": (
        "count(*), sum(s.mean * s.value_count)",
        f"{FROM} JOIN results_series s ON s.run_id = r.id",
        "count(*), sum(list_sum(samples))",
    ),
    "runs": ("count(*), sum(r.case_count)", "FROM runs_run r", "count(*), sum(case_count)"),
    "cases": ("count(*), sum(c.sequence)", FROM, "count(*), sum(sequence)"),
}


def create_archive(owner: User) -> None:
    for moment in (OCTOBER, NOVEMBER, NOVEMBER):
        create_ended_run(owner, moment)


def test_counts_and_sums_of_each_month_equal_those_of_postgresql(
    owner: User, tmp_path: Path
) -> None:
    create_archive(owner)
    export(tmp_path / "lake")
    with lake(tmp_path / "lake") as duck, connection.cursor() as cursor:
        for table, (figures, source, in_lake) in SAME.items():
            cursor.execute(f"SELECT {MONTH}, {figures} {source} GROUP BY 1 ORDER BY 1")
            there = duck.execute(f"SELECT month, {in_lake} FROM {table} GROUP BY 1 ORDER BY 1")
            here = [tuple(map(_plain, row)) for row in cursor.fetchall()]
            assert [tuple(map(_plain, row)) for row in there.fetchall()] == here, table
            assert [row[0] for row in here] == ["2026-10", "2026-11"]


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)


def test_types_and_units(owner: User, tmp_path: Path) -> None:
    create_archive(owner)
    export(tmp_path)
    for table in TABLES:
        for path in paths(tmp_path, table.name):
            schema = pyarrow.parquet.read_schema(tmp_path / path)
            assert {field.name: str(field.type).replace("element", "item") for field in schema} == {
                name: kind.replace("<", "<item: ") if "list" in kind else kind
                for name, kind in table.schema.items()
            }
    (file,) = paths(tmp_path, "histograms", "2026-10")
    (row,) = pyarrow.parquet.read_table(tmp_path / file, partitioning=None).to_pylist()
    assert (row["bins_ns"], row["counts"]) == ([1_000, 2_000, 400_000], [90, 9, 1])
    every = [str(tmp_path / path) for path in paths(tmp_path, "measurements")]
    rows = pyarrow.dataset.dataset(every, partitioning="hive").to_table().to_pylist()
    assert {row["month"] for row in rows} == {"2026-10", "2026-11"}
    assert {(row["latency_mean_ns"], row["latency_p99_ns"]) for row in rows} == {(1_500, 2_000)}
    assert sorted(row["measured_at"] for row in rows) == [OCTOBER, NOVEMBER, NOVEMBER]


def test_missing_samples_and_impossible_nanoseconds_are_null(owner: User, tmp_path: Path) -> None:
    from apps.results.models import SeriesChunk

    run = create_ended_run(owner)
    Measurement.objects.update(latency_max=1e300)
    chunk = SeriesChunk.objects.filter(series__run=run, series__metric="iops").get()
    chunk.values = bytes(chunk.values)[:-4] + b"\x00\x00\xc0\x7f"  # NaN
    chunk.save()
    export(tmp_path)
    with lake(tmp_path) as duck:
        assert duck.execute("SELECT latency_max_ns FROM measurements").fetchall() == [(None,)]
        samples = duck.execute("SELECT samples FROM series WHERE metric = 'iops'").fetchone()
        assert samples is not None
        assert samples[0] == [*(100.0 + n for n in range(9)), None]


def test_people_are_named_on_request_only(owner: User, tmp_path: Path) -> None:
    owner.email = "owner-mail@lab.example"
    owner.save()
    run = create_ended_run(owner)
    reason = message("cancelled by %(who)s", who="owner-name")
    Run.objects.filter(pk=run.pk).update(state=RunState.CANCELLED, reason=reason, note="by anna")
    Case.objects.update(reason=reason)
    host = run.cases.get().host
    nics = [{"name": "eth0", "addresses": ["10.9.8.7"]}]
    reported: list[dict[str, Any]] = [
        {"nics": nics, "memory": 8, "cpu": {"count": 2}},
        {"memory": 1e300, "cpu": "?"},
        {"memory": "much", "cpu": []},
    ]
    for number, facts in enumerate(reported):
        host.facts_history.create(digest=str(number), facts=facts)
    first = export(tmp_path)
    for table in TABLES:
        for path in paths(tmp_path, table.name):
            text = str(pyarrow.parquet.read_table(tmp_path / path, partitioning=None).to_pylist())
            for word in ("'owner'", "owner-mail", "owner-name", "anna", "10.9.8.7"):
                assert word not in text, (path, word)
    before = files(tmp_path)
    named = export(tmp_path, people=True)
    assert (first.people, named.people, manifest(tmp_path)["people"]) == (False, True, True)
    assert before.isdisjoint(paths(tmp_path, "runs"))
    with lake(tmp_path) as duck:
        row = duck.execute("SELECT owner_name, owner_email, reason, note FROM runs").fetchone()
        assert row == ("owner", owner.email, "cancelled by owner-name", "by anna")
        rows = duck.execute("SELECT memory_bytes, cpu_count FROM facts ORDER BY digest").fetchall()
        assert rows == [(8, 2), (None, None), (None, None)]
        texts = duck.execute("SELECT facts_json FROM facts WHERE digest = '0'").fetchall()
        assert "10.9.8.7" in texts[0][0]


def test_an_empty_archive_has_every_table(tmp_path: Path, db: None) -> None:
    export(tmp_path)
    written = set(paths(tmp_path, "runs"))
    export(tmp_path)
    assert set(paths(tmp_path, "runs")) == written
    with lake(tmp_path) as duck:
        for table in TABLES:
            assert duck.execute(f"SELECT count(*) FROM {table.name}").fetchone() == (0,)

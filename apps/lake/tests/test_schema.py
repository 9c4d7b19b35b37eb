"""The columns of a lake: pinned by version, the same in all of its files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow.dataset
import pytest

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.lake.domain import tables
from apps.lake.domain.columns import Column
from apps.lake.services import export as service
from apps.lake.services import plan, state
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

STORED = Path(__file__).parent / "schemas"


def test_a_new_column_raises_the_version_and_no_type_changes() -> None:
    present = {table.name: table.schema for table in tables.TABLES}
    versions = {int(path.stem): json.loads(path.read_text()) for path in STORED.glob("*.json")}
    # Add the file of a new version; a published one never changes.
    assert sorted(versions) == list(range(1, tables.SCHEMA_VERSION + 1))
    assert versions[tables.SCHEMA_VERSION] == present
    for stored in versions.values():
        for table, columns in stored.items():
            assert columns.items() <= present[table].items()


@pytest.mark.django_db(transaction=True)
def test_new_column_is_in_every_month_for_all_readers(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for moment in (OCTOBER, NOVEMBER):
        create_ended_run(owner, moment)
    export(tmp_path)
    before = files(tmp_path)
    assert export(tmp_path).months == 0
    _evolve(monkeypatch, Column("energy_j", "number", "(r.id * 2.5)::float8"))
    assert export(tmp_path).months == 2
    document = manifest(tmp_path)
    assert document["schema_version"] == tables.SCHEMA_VERSION + 1
    assert document["tables"]["measurements"]["energy_j"] == "double"
    assert before.isdisjoint(one["path"] for one in document["files"])
    every = [str(tmp_path / path) for path in paths(tmp_path, "measurements")]
    for order in (every, every[::-1]):
        assert pyarrow.dataset.dataset(order).to_table()["energy_j"].null_count == 0
        rows = duckdb.execute("SELECT count(energy_j) FROM read_parquet(?)", [order]).fetchone()
        assert rows == (2,)
    with lake(tmp_path) as duck:
        found = duck.execute("SELECT month, energy_j FROM measurements").fetchall()
        assert {month for month, _energy in found} == {"2026-10", "2026-11"}


@pytest.mark.django_db(transaction=True)
def test_type_never_changes_and_older_version_never_writes(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_ended_run(owner)
    export(tmp_path)
    before = manifest(tmp_path)
    with monkeypatch.context() as patch:
        _evolve(patch, Column("iops", "integer", "m.iops::bigint"))
        with pytest.raises(ServiceError, match=r"measurements\.iops has another type"):
            export(tmp_path)
    document = before | {"schema_version": tables.SCHEMA_VERSION + 1}
    (tmp_path / "_manifest.json").write_text(json.dumps(document))
    with pytest.raises(ServiceError, match="newer benchlab"):
        export(tmp_path)
    assert manifest(tmp_path) == document


def _evolve(patch: pytest.MonkeyPatch, column: Column) -> None:
    """Make measurements have this column, in another schema version."""
    same = [one for one in tables.MEASUREMENTS.columns if one.name != column.name]
    table = replace(tables.MEASUREMENTS, columns=[*same, column])
    every = (table, *tables.TABLES[1:])
    for module in (service, plan, state):
        patch.setattr(module, "TABLES", every)
        patch.setattr(module, "SCHEMA_VERSION", tables.SCHEMA_VERSION + 1)

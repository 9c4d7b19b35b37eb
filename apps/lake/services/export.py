"""Export of the archive: whole months of Parquet files, then the manifest that names them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from apps.lake.domain.columns import Table
from apps.lake.domain.file_names import (
    IDENTITY,
    PYTHON,
    SQL,
    data_name,
    generation_of,
    is_data,
)
from apps.lake.domain.manifest import (
    GRACE,
    LakeFile,
    Manifest,
    MonthDigests,
    ReplacedFile,
    encode,
)
from apps.lake.domain.readers import python_text, sql_text
from apps.lake.domain.refusal import LakeRefusal
from apps.lake.domain.tables import SCHEMA_VERSION, TABLES
from apps.lake.models import LakeExport
from apps.lake.selectors.months import facts_batches, month_now, run_batches
from apps.lake.selectors.rows import snapshot, table_rows
from apps.lake.services.folders import Folder, folder_of
from apps.lake.services.parquet import files_write
from apps.lake.services.plan import LakeEstimate, estimate, is_rewritten, month_plan, plans_of
from apps.lake.services.records import export_end, export_fail, export_start, unended_fail
from apps.lake.services.state import LakeState, identity_document, installation_id, state_of
from apps.tools.messages import error_message, message

MAX_COUNTED = 30
"""Counted manifests in a bucket; a slower writer than so many exports does not exist."""
Report = Callable[[str], object]


@dataclass
class _Export:
    """Export in progress. `token` is in the names of its files."""

    folder: Folder
    state: LakeState
    installation: str
    people: bool
    report: Report
    token: str = field(default_factory=lambda: secrets.token_hex(6))
    files: list[LakeFile] = field(default_factory=list)
    months: dict[str, MonthDigests] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)


def lake_estimate(*, location: str, people: bool) -> LakeEstimate:
    """Return what an export would write. Raises: LakeRefusal, OSError."""
    return estimate(state_of(folder_of(location), installation_id()), people=people)


def lake_export(*, location: str, people: bool, report: Report = lambda _text: None) -> LakeExport:
    """Write the months whose rows moved, then the manifest. Return the record.

    `report`: called with a line for each written month. Raises: LakeRefusal, OSError.
    """
    folder = folder_of(location)
    record = export_start(location=folder.location, people=people, version=settings.VERSION)
    try:
        with folder.exclusive():
            unended_fail(record)
            export = _export(folder, people=people, report=report)
    except (LakeRefusal, OSError, DatabaseError) as error:
        export_fail(record, error_message(error))
        raise
    export_end(record, months=len(export.written), files=export.files)
    return record


def _export(folder: Folder, *, people: bool, report: Report) -> _Export:
    installation = installation_id()
    state = state_of(folder, installation)
    if not state.is_claimed and not folder.create(IDENTITY, identity_document(installation)):
        raise LakeRefusal(
            message("Another export has written %(location)s meanwhile.", location=folder.location)
        )
    export = _Export(folder, state, installation, people, report)
    for plan in plans_of(state, people=people):
        _month(export, plan.month)
    _empty_tables(export)
    for name, content in ((SQL, sql_text()), (PYTHON, python_text())):
        if name not in state.names or folder.read(name) != content:
            folder.write(name, content)
    manifest = _manifest(export)
    folder.manifest_write(manifest.generation, encode(manifest))
    _sweep(export, manifest)
    return export


def _month(export: _Export, name: str) -> None:
    """Write the tables of a month that moved. Rows and digests are of one moment."""
    with snapshot():
        month = month_now(name, people=export.people)
        plan = month_plan(export.state, month, people=export.people)
        before = export.state.manifest
        for table in plan.keep:
            export.files += before.files_of(table.name, name) if before else ()
        for table in plan.write:
            export.files += _table(export, table, name)
    if plan.write or plan.keep:  # else its last run was deleted meanwhile
        export.months[name] = MonthDigests(month.runs, month.facts)


def _table(export: _Export, table: Table, month: str) -> list[LakeFile]:
    batches = run_batches(month) if table.of_runs else facts_batches(month)
    rows = table_rows(table, batches, people=export.people)
    export.written.add(month)
    names = _names(export, table, month)
    files = list(files_write(table, month, rows, names, export.folder.new_file))
    count, size = sum(file.rows for file in files), sum(file.bytes for file in files)
    export.report(f"{month} {table.name}: {count} rows, {len(files)} files, {size / 1e6:.1f} MB")
    return files


def _names(export: _Export, table: Table, month: str) -> Callable[[int], str]:
    return lambda number: data_name(table.name, month, export.installation, export.token, number)


def _empty_tables(export: _Export) -> None:
    """Give each table without rows an empty file, from which readers take its columns."""
    before = export.state.manifest
    month = max(export.months, default=f"{timezone.now():%Y-%m}")
    for table in TABLES:
        if any(file.table == table.name for file in export.files):
            continue
        old = [] if before is None else [one for one in before.files if one.table == table.name]
        reused = [one for one in old if not one.rows and one.path in export.state.names][:1]
        if reused and before and not is_rewritten(before, people=export.people):
            export.files += reused
            continue
        names = _names(export, table, month)
        export.files += files_write(table, month, (), names, export.folder.new_file)


def _manifest(export: _Export) -> Manifest:
    before, now = export.state.manifest, timezone.now()
    paths = {file.path for file in export.files}
    replaced = [one for one in before.replaced if now - one.replaced_at < GRACE] if before else []
    if before:
        gone = (file.path for file in before.files if file.path not in paths)
        replaced += [ReplacedFile(path, now) for path in gone]
    return Manifest(
        installation=export.installation,
        generation=before.generation + 1 if before else 1,
        written_at=now,
        benchlab_version=settings.VERSION,
        schema_version=SCHEMA_VERSION,
        people=export.people,
        tables={table.name: table.schema for table in TABLES},
        months=export.months,
        files=export.files,
        replaced=replaced,
    )


def _sweep(export: _Export, manifest: Manifest) -> None:
    """Delete files that no manifest of the last day names, and old counted manifests."""
    oldest = timezone.now() - GRACE - timedelta(minutes=1)
    named = manifest.paths()
    for name, changed in export.state.names.items():
        if is_data(name, export.installation) and name not in named and changed < oldest:
            export.folder.delete(name)
        generation = generation_of(name)
        if generation is not None and generation <= manifest.generation - MAX_COUNTED:
            export.folder.delete(name)

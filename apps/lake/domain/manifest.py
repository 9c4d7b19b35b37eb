"""Manifest of a lake: its whole files, with which readers begin. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from apps.lake.domain.columns import Table

FORMAT = "benchlab lake"
GRACE = timedelta(days=1)
"""Replaced files stay so long for readers that have begun with an earlier manifest."""


class LakeFile(msgspec.Struct, frozen=True):
    """Whole file; `path` below the lake's folder."""

    table: str
    month: str
    path: str
    rows: int
    bytes: int
    sha256: str


class ReplacedFile(msgspec.Struct, frozen=True):
    """File that an earlier manifest named."""

    path: str
    replaced_at: datetime


class MonthDigests(msgspec.Struct, frozen=True):
    """Digests of the rows of a month: of the runs with their results, and of the facts."""

    runs: str = ""
    facts: str = ""


class Manifest(msgspec.Struct, frozen=True):
    """Manifest; `generation` counts the exports, `people`: with the columns about people."""

    installation: str
    generation: int
    written_at: datetime
    benchlab_version: str
    schema_version: int
    people: bool
    tables: dict[str, dict[str, str]]
    months: dict[str, MonthDigests]
    files: list[LakeFile]
    replaced: list[ReplacedFile]
    format: str = FORMAT

    def paths(self) -> set[str]:
        """Return the names of all files that readers may use."""
        return {file.path for file in self.files} | {file.path for file in self.replaced}

    def files_of(self, table: str, month: str) -> list[LakeFile]:
        """Return the files of a table in a month."""
        return [file for file in self.files if (file.table, file.month) == (table, month)]


def encode(manifest: Manifest) -> bytes:
    """Return the document with one file a line."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def decode(document: bytes) -> Manifest:
    """Return a manifest. Raises: ValueError for another document."""
    try:
        manifest = msgspec.json.decode(document, type=Manifest)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    if manifest.format != FORMAT:
        raise ValueError(f"its format is {manifest.format!r}")
    return manifest


def changed_type(manifest: Manifest, tables: tuple[Table, ...]) -> str:
    """Return the first column with another type than before; empty if there is none."""
    for table in tables:
        before = manifest.tables.get(table.name, {})
        for name, kind in table.schema.items():
            if before.get(name, kind) != kind:
                return f"{table.name}.{name}"
    return ""

"""Names of the files in a lake. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

from apps.lake.domain.tables import TABLES

IDENTITY = "_lake.json"
"""File with the installation that writes the lake; the first file of each lake."""
LOCK = "_lock"
MANIFEST = "_manifest.json"
SQL, PYTHON = "lake.sql", "lake.py"
UNFINISHED = ".tmp"
_OWN = {IDENTITY, LOCK, MANIFEST, SQL, PYTHON}
_OWN |= {f"{name}{UNFINISHED}" for name in _OWN}
_COUNTED = re.compile(r"_manifest\.(\d{8})\.json")
_TABLES = "|".join(table.name for table in TABLES)


def data_name(table: str, month: str, owner: str, export: str, number: int) -> str:
    """Return the name of a file; `export` makes it unique among all exports."""
    return f"{table}/month={month}/{owner}-{export}-{number:04}.parquet"


def counted_manifest(generation: int) -> str:
    """Return the name of a manifest that only one writer can create."""
    return f"_manifest.{generation:08}.json"


def generation_of(name: str) -> int | None:
    """Return the generation of a counted manifest; None for other files."""
    match = _COUNTED.fullmatch(name)
    return int(match[1]) if match else None


def is_data(name: str, owner: str) -> bool:
    """Return True for a data file of this owner, also an unfinished one."""
    pattern = rf"(?:{_TABLES})/month=\d{{4}}-\d{{2}}/{re.escape(owner)}-[0-9a-f]+-\d{{4,}}\.parquet"
    return re.fullmatch(pattern, name.removesuffix(UNFINISHED)) is not None


def foreign_names(names: Collection[str], owner: str, written: Collection[str]) -> list[str]:
    """Return the files that this installation did not write. `written`: those of its manifest."""
    return sorted(
        name
        for name in names
        if name not in _OWN
        and name not in written
        and generation_of(name) is None
        and not is_data(name, owner)
    )

"""Files as people have them, and imports of them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry, ReceivedEntry
from apps.imports.models import Import
from apps.imports.selectors.imports import stored_points
from apps.imports.services import ImportDraft, import_begin

TOOLS = Path(__file__).parents[2] / "tools"


def sample(tool: str, name: str) -> bytes:
    """The output of a tool plugin's own sample."""
    folder = TOOLS / tool / "tests" / "samples" / name
    found = [p for p in folder.iterdir() if p.name not in ("expected.json", "source.txt")]
    return found[0].read_bytes()


def team_files() -> list[ArchiveEntry]:
    """The team's six results of rados bench: three tests before and after a tuning."""
    return [
        ArchiveEntry(
            f"rados--{test}_{when}_tuning.txt",
            sample("rados", f"12.2--{test}-{when}-tuning"),
        )
        for when in ("before", "after")
        for test in ("write", "seq", "rand")
    ]


def create_import(user: User, files: Iterable[ReceivedEntry] | None = None, **said: Any) -> Import:
    """A read import of the team's six files, unless others are given. `said`: what the importer
    says, and `dry_run` and `forks` of `import_begin`.
    """
    how = {name: said.pop(name, False) for name in ("dry_run", "forks")}
    draft = ImportDraft(**{"name": "old results"} | said)
    sent = team_files() if files is None else files
    return import_begin(user=user, draft=draft, files=sent, at_once=how["forks"], **how)


def zipped(files: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", packing) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def tarred(files: dict[str, bytes], mode: str = "gz") -> bytes:
    """A tar of these files, packed with `mode` ("gz", "bz2", "xz", "")."""
    content = io.BytesIO()
    how: Any = f"w:{mode}"
    with tarfile.open(fileobj=content, mode=how) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return content.getvalue()


def repeats_of(imported: Import) -> dict[int, list[int | None]]:
    """Number of a file -> the repeat that each of its points would be."""
    placed = stored_points(imported)
    return {number: [each.repeat for each in points] for number, points in placed.items()}

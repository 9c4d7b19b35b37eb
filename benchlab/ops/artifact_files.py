"""Raw output stored as files (BENCHLAB_ARTIFACT_STORE=files), in backup and restore.

A member of the archive is `artifacts/<SHA-256 of the uncompressed bytes>`; the folder has it as
`ab/abcd…` (apps.blobs.domain.names).
"""

from __future__ import annotations

import hashlib
import os
import re
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING

from apps.blobs.domain.names import SHA256, storage_name
from benchlab.local.errors import StartError

if TYPE_CHECKING:
    import psycopg

MEMBER = re.compile(f"artifacts/({SHA256.pattern})")
CHUNK = 1 << 20  # bytes
NAMES = "SELECT sha256 FROM blobs_blob WHERE store = 'files' ORDER BY sha256"


def file_names(made: psycopg.Connection[tuple[object, ...]]) -> list[str]:
    """Return the SHA-256 of each blob that the database lists as a file."""
    return [str(row[0]) for row in made.execute(NAMES)]


def add_files(file: IO[bytes], folder: Path, names: Iterable[str]) -> str:
    """Append these files as members; return the SHA-256 of all bytes.

    Raises: OSError; StartError for a missing file.
    """
    digest = hashlib.sha256()
    for name in names:
        path = folder / storage_name(name)
        if not path.is_file():
            raise StartError(f"{path} is missing: bin/manage artifacts check says what else is.")
        with path.open("rb") as source:
            info = tarfile.TarInfo(f"artifacts/{name}")
            info.size, info.mode = os.fstat(source.fileno()).st_size, 0o600
            file.write(info.tobuf(tarfile.GNU_FORMAT))
            while piece := source.read(CHUNK):
                digest.update(piece)
                file.write(piece)
            file.write(bytes(-info.size % tarfile.BLOCKSIZE))
    return digest.hexdigest()


def read_files(
    archive: Path, manifest: Mapping[str, object], take: Callable[[str, Iterator[bytes]], None]
) -> None:
    """Pass on every file of a backup. Raises: StartError for a wrong checksum."""
    digest, count = hashlib.sha256(), 0
    with tarfile.open(archive, "r:") as members:
        for member in members:
            if not (match := MEMBER.fullmatch(member.name)) or not member.isreg():
                continue
            count += 1
            source = members.extractfile(member)
            take(match[1], _pieces(source, digest.update))
    if manifest.get("files", 0) != count or (
        count and manifest.get("files_sha256") != digest.hexdigest()
    ):
        raise StartError(f"{archive} is damaged: its files are not those that were written.")


def _pieces(source: IO[bytes] | None, seen: Callable[[bytes], None]) -> Iterator[bytes]:
    while source and (piece := source.read(CHUNK)):
        seen(piece)
        yield piece


def skip(_name: str, pieces: Iterator[bytes]) -> None:
    """Read and discard the pieces."""
    for _piece in pieces:
        pass


def put_into(folder: Path) -> Callable[[str, Iterator[bytes]], None]:
    """Return a function that writes files into this folder atomically."""

    def put(name: str, pieces: Iterator[bytes]) -> None:
        path = folder / storage_name(name)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = path.with_name(f".{name}.{os.getpid()}")
        try:
            with unfinished.open("xb") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
            unfinished.rename(path)
        finally:
            unfinished.unlink(missing_ok=True)

    return put

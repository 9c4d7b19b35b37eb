"""Backup archive: a tar with the database's dump, files of raw output, and a manifest.

database.dump: pg_dump's custom format, written as one stream. artifacts/…: raw output stored as
files (format 2; without any, format 1). manifest.json: version, time, SHA-256 of the dump, rows of
each table, key fingerprints. The tar has GNU format. The dump's length is known only afterwards, so
its header is written twice.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, TypedDict, cast

from benchlab.local.errors import StartError

DUMP, MANIFEST = "database.dump", "manifest.json"
BLOCK = tarfile.BLOCKSIZE
CHUNK = 1 << 20  # bytes


class Manifest(TypedDict, total=False):
    """Manifest of a backup.

    `rows`: by schema and table; `encryption_keys`: fingerprints of the keys; `migrations`: SHA-256
    of the migration files; `database_version`: that of the tables, while `version` is that of the
    code; `files`: raw output outside the database.
    """

    format: int
    version: str
    migrations: str
    database_version: str
    made: str
    rows: dict[str, int]
    encryption_keys: list[str]
    dump_bytes: int
    dump_sha256: str
    files: int
    files_sha256: str


def write(
    file: IO[bytes],
    dump: Callable[[Callable[[bytes], None]], None],
    fields: Manifest,
    add: Callable[[IO[bytes]], Manifest],
) -> None:
    """Write all members into an empty file.

    `dump` passes the dump's bytes piece by piece; `add` appends whole members and returns what the
    manifest needs. The manifest is `fields` with the dump's size and SHA-256. Raises: OSError.
    """
    digest, size = hashlib.sha256(), 0

    def take(piece: bytes) -> None:
        nonlocal size
        size += len(piece)
        digest.update(piece)
        file.write(piece)

    file.write(_header(DUMP, 0))
    dump(take)
    file.write(bytes(-size % BLOCK))
    words = {**fields, **add(file), "dump_bytes": size, "dump_sha256": digest.hexdigest()}
    manifest = json.dumps(words, indent=2).encode() + b"\n"
    file.write(_header(MANIFEST, len(manifest)) + manifest + bytes(-len(manifest) % BLOCK))
    file.write(bytes(2 * BLOCK))
    file.seek(0)
    file.write(_header(DUMP, size))
    file.flush()
    os.fsync(file.fileno())


def _header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    return info.tobuf(tarfile.GNU_FORMAT)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest. Raises: StartError for anything but a whole backup."""
    try:
        with tarfile.open(path, "r:") as archive:
            member = archive.extractfile(MANIFEST)
            manifest = json.load(member or io.BytesIO(b""))
            archive.getmember(DUMP)
    except OSError as error:
        raise StartError(f"{path} cannot be read: {error.strerror or error}.") from None
    except (tarfile.TarError, KeyError, ValueError):
        raise StartError(f"{path} is no whole backup of benchlab (bin/manage backup).") from None
    if not isinstance(manifest, dict) or manifest.get("format") not in (1, 2):
        raise StartError(f"{path} is a backup of a benchlab that this one does not know.")
    return cast(Manifest, manifest)


def read_dump(path: Path, give: Callable[[bytes], object]) -> None:
    """Pass the dump on piece by piece. Raises: StartError for a wrong checksum."""
    manifest, digest = read_manifest(path), hashlib.sha256()
    with tarfile.open(path, "r:") as archive:
        member = archive.extractfile(DUMP)
        while member and (piece := member.read(CHUNK)):
            digest.update(piece)
            give(piece)
    if digest.hexdigest() != manifest.get("dump_sha256"):
        raise StartError(f"{path} is damaged: its content has another checksum than was written.")

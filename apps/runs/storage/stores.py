"""Where packed bytes lie: in PostgreSQL, or as files of a folder that web and workers share.

Each blob's row says which store has it, so both may be in use at once; `BENCHLAB_ARTIFACTS` says
where new ones go, and `bin/manage artifacts move` takes the others there (`moving`).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Protocol

from django.conf import settings
from django.db import connection

from apps.common.downloads import PIECE, column_pieces
from apps.runs.models import Blob, BlobContent, BlobStore

NAME = 64  # characters of a SHA-256
# PostgreSQL's binary COPY ("Binary Format" in its page about COPY).
_COPY = "COPY runs_blobcontent (blob_id, content) FROM STDIN (FORMAT BINARY)"
_COPY_BEGIN, _COPY_END = b"PGCOPY\n\xff\r\n\0" + bytes(8), struct.pack("!h", -1)
_ROW = struct.Struct("!hiqi")  # two fields: 8 bytes of a key, and a length


@dataclass(frozen=True)
class NewBlob:
    """A blob whose row is written and whose bytes are not: `blob.packed` bytes of them."""

    blob: Blob
    pieces: Iterable[bytes]


class Store(Protocol):
    """Keeps packed bytes by their blob."""

    def write(self, new: Iterable[NewBlob]) -> None:
        """Keep these bytes, in the transaction that is open. Raises OSError."""

    def pieces(self, blob: Blob) -> Iterator[bytes]:
        """A blob's packed bytes, PIECE of them at a time; nothing where they are gone."""


class DatabaseStore:
    """Rows of `BlobContent`."""

    def write(self, new: Iterable[NewBlob]) -> None:
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.write(_COPY_BEGIN)
            for item in new:
                copy.write(_ROW.pack(2, 8, item.blob.pk, item.blob.packed))
                for piece in item.pieces:
                    copy.write(piece)
            copy.write(_COPY_END)

    def pieces(self, blob: Blob) -> Iterator[bytes]:
        return column_pieces(BlobContent.objects.filter(pk=blob.pk), "content")

    def remove(self, blobs: Collection[Blob]) -> None:
        """Forget the bytes of these blobs."""
        BlobContent.objects.filter(pk__in=[blob.pk for blob in blobs]).delete()


class FolderStore:
    """Files named by the SHA-256 of their unpacked bytes: `ab/abcd…`. A file is whole or not
    there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where the packed bytes of this content lie."""
        return self.folder / sha256[:2] / sha256

    def write(self, new: Iterable[NewBlob]) -> None:
        made: set[Path] = set()
        for item in new:
            path = self.path(item.blob.sha256)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_whole(path, item.pieces)
            made.add(path.parent)
        for folder in made:
            _sync(folder)

    def pieces(self, blob: Blob) -> Iterator[bytes]:
        try:
            with self.path(blob.sha256).open("rb") as file:
                while piece := file.read(PIECE):
                    yield piece
        except FileNotFoundError:
            return

    def forget(self, sha256s: Collection[str]) -> None:
        """Remove these files, where they are there."""
        for sha256 in sha256s:
            self.path(sha256).unlink(missing_ok=True)

    def names(self) -> Iterator[str]:
        """The SHA-256 of every file that lies here."""
        for path in self.folder.glob("??/*"):
            if len(path.name) == NAME and path.name.startswith(path.parent.name):
                yield path.name


def _write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Under another name first: whoever reads this one reads all of it."""
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        try:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def folder_store() -> FolderStore:
    """The folder of this installation."""
    return FolderStore(settings.ARTIFACTS_FOLDER)


def store_of(name: str) -> Store:
    """The store of a blob's row."""
    stores: Mapping[str, Store] = {
        BlobStore.POSTGRESQL: DatabaseStore(),
        BlobStore.FILES: folder_store(),
    }
    return stores[name]

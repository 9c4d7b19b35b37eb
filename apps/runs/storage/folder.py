"""Packed bytes as files of a folder."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

from apps.common.web.downloads import PIECE
from apps.runs.models import Blob
from apps.runs.storage.naming import sha256_of, stored_name
from apps.runs.storage.new_blob import NewBlob


class FolderStore:
    """Files named by the SHA-256 of their unpacked bytes: `ab/abcd…`. A file is whole or not
    there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """The path of the packed bytes of this content."""
        return self.folder / stored_name(sha256)

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
            if sha256 := sha256_of(f"{path.parent.name}/{path.name}"):
                yield sha256


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

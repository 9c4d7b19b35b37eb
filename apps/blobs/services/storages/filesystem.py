"""Django storage of compressed bytes in a folder that web and workers share."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

from apps.common.web.downloads import PIECE


class DurableFileStorage(FileSystemStorage):
    """Rename a file to its name only after fsync, so that a crash leaves no partial file."""

    def _save(self, name: str, content: File[bytes]) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
            try:
                file.writelines(content.chunks(PIECE))
                file.flush()
                os.fsync(file.fileno())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
        _fsync_folder(path.parent)
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""What was read is not read again where the same process stores it: the command that imports a
folder. Elsewhere a person looks at the preview first, and the process that read is long gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from apps.imports.models import ImportFile
from apps.imports.reading import ResultRead

# Bytes of the files whose readings are kept; what comes after them is read again.
MOST = 256 << 20
Key = tuple[str, ...]


class HandedOn:
    """Readings by the files they are of, each given once."""

    def __init__(self, most: int = MOST) -> None:
        self._left = most
        self._kept: dict[Key, ResultRead] = {}

    def keep(self, files: Sequence[ImportFile], reading: ResultRead) -> None:
        """For whoever stores these files."""
        size = sum(row.size for row in files)
        if reading.parsed is not None and size <= self._left:
            self._left -= size
            self._kept[_key(files)] = reading

    def take(self, files: Sequence[ImportFile]) -> ResultRead | None:
        """What was kept, None where nothing was."""
        reading = self._kept.pop(_key(files), None)
        if reading is not None:
            self._left += sum(row.size for row in files)
        return reading


def _key(files: Sequence[ImportFile]) -> Key:
    """The result's own number, and what it is made of."""
    return (str(files[0].pk), *sorted(f"{row.role} {row.sha256}" for row in files))


_handed_on: ContextVar[HandedOn | None] = ContextVar("handed_on", default=None)


@contextmanager
def handing_on() -> Iterator[HandedOn]:
    """What is read inside is kept for what is stored inside."""
    kept = HandedOn()
    token = _handed_on.set(kept)
    try:
        yield kept
    finally:
        _handed_on.reset(token)


def reading_keep(files: Sequence[ImportFile], reading: ResultRead) -> None:
    """Keep it, where somebody will store it here."""
    if kept := _handed_on.get():
        kept.keep(files, reading)


def reading_of(files: Sequence[ImportFile], read: Callable[[], ResultRead]) -> ResultRead:
    """What was kept of these files, else what `read` gives."""
    kept = _handed_on.get()
    return (kept.take(files) if kept else None) or read()

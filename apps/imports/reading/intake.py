"""Bytes of new files on their way into their rows: hashed and packed, and where there are enough of
them, read by other processes meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from apps.imports.models import ImportFile
from apps.imports.reading.alone import AT_ONCE, FEWEST, LARGEST, packed_bytes
from apps.imports.reading.early import begun
from apps.imports.reading.readers import Readers, TakenAhead


class Intake:
    """New rows and their bytes. `as_run`: the import's options as they were run. `forks`: other
    processes take them in; what those answer is in memory until it is asked for.
    """

    def __init__(self, readers: Readers, as_run: str, *, forks: bool) -> None:
        self._readers, self._as_run = readers, as_run
        self._forks = forks and readers.may_fork
        self._waiting: list[tuple[ImportFile, bytes]] = []
        self._held = 0
        self._sent: dict[int, TakenAhead] = {}
        # Bytes of what was begun before the command, until that is known to be of the same ones.
        self._doubted: dict[int, tuple[ImportFile, bytes]] = {}

    def add(self, row: ImportFile, data: bytes, place: str = "") -> None:
        """Give a row its bytes, which it has at the latest when it is settled. `place`: where this
        machine has them.
        """
        row.size = len(data)
        if self._forks and not self._as_run and place in begun():
            self._doubt(row, data, place)
            return
        if not self._forks or row.size > LARGEST:
            row.sha256, row.content = packed_bytes(data)
            return
        self._waiting.append((row, data))
        self._held += row.size
        if len(self._waiting) >= (AT_ONCE if self._sent else FEWEST):
            self._send()
        elif self._held > LARGEST:
            self._send() if self._sent else self._take_here()

    def end(self) -> None:
        """No more come."""
        self._send() if self._sent else self._take_here()

    def stop(self) -> None:
        """They are too many: those that still come are taken in here."""
        self.end()
        self._forks = False

    def settle(self, rows: Iterable[ImportFile]) -> None:
        """Wait until these have their bytes."""
        if any(row.number not in self._sent and not row.sha256 for row in rows):
            self.end()
        for row in rows:
            if row.number in self._sent:
                self._settle(row)

    def _settle(self, row: ImportFile) -> None:
        taken = self._sent.pop(row.number).taken()
        _row, data = self._doubted.pop(row.number, (row, b""))
        row.sha256, row.content = taken[:2] if taken else packed_bytes(data)

    def _doubt(self, row: ImportFile, data: bytes, place: str) -> None:
        """Take what was begun before the command, if it is of these bytes."""
        sha256 = hashlib.sha256(data).hexdigest()
        errand, index = begun()[place]
        ahead = TakenAhead(errand, index, sha256)
        self._sent[row.number] = self._readers.early[row.number] = ahead
        self._doubted[row.number] = (row, data)
        while self._doubted:
            first, _data = next(iter(self._doubted.values()))
            if not self._sent[first.number].errand.done():
                break
            self._settle(first)

    def _send(self) -> None:
        for begin in range(0, len(self._waiting), AT_ONCE):
            some = self._waiting[begin : begin + AT_ONCE]
            errand = self._readers.take_in([data for _row, data in some], self._as_run)
            for place, (row, _data) in enumerate(some):
                ahead = TakenAhead(errand, place)
                self._sent[row.number] = self._readers.early[row.number] = ahead
        self._waiting, self._held = [], 0

    def _take_here(self) -> None:
        for row, data in self._waiting:
            row.sha256, row.content = packed_bytes(data)
        self._waiting, self._held = [], 0

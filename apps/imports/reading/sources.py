"""The files of an import while it is read: rows that are written already, or held until what was
read of them is known, so that each is written once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from django.db.models import Max

from apps.common.database.copying import keys_taken
from apps.imports.models import FileState, Import, ImportFile
from apps.imports.reading.bundling import Heads, HeldHeads, StoredHeads
from apps.imports.reading.intake import Intake
from apps.imports.reading.known import KnownBytes
from apps.imports.reading.packed import unpacked
from apps.imports.reading.readings import readings_keep
from apps.imports.reading.result import ResultRead
from apps.imports.reading.to_store import PARTS, batched

# Bytes of files, unpacked, whose rows are held.
MOST_HELD = 32 << 20
_WRITTEN = (
    *("state", "tool", "format", "version", "completeness", "points", "keys", "warnings"),
    *(
        "places",
        "nameless_keys",
        "refusal",
        "role",
        "said",
        "belongs_to",
        "proposed",
        "known_as",
        "keep",
    ),
)


class FilesToRead(Protocol):
    """Rows of one import by their numbers."""

    def heads(self) -> Heads:
        """The paths and first bytes of those that wait."""

    def sizes(self) -> Mapping[int, int]:
        """The bytes of each, unpacked."""

    def waiting(self, numbers: Collection[int]) -> Mapping[int, ImportFile]:
        """Those of these that wait."""

    def settle(self, rows: Sequence[ImportFile]) -> None:
        """Wait until these have their bytes."""

    def known(self, rows: Iterable[ImportFile]) -> KnownBytes:
        """Earlier places of the bytes of these."""

    def last(self) -> int:
        """The largest number."""

    def add(self, rows: Sequence[ImportFile]) -> None:
        """Put numbered pieces of a text to the others; each has its key after that."""

    def others_write(self) -> None:
        """Keep those that nobody reads."""

    def write(self, rows: Sequence[ImportFile], readings: Mapping[int, tuple[str, bytes]]) -> None:
        """Keep what was read of these, and what was measured by the key of its row."""


class StoredFiles:
    """Rows that are written."""

    def __init__(self, imported: Import) -> None:
        self._imported = imported

    def heads(self) -> Heads:
        return StoredHeads(self._imported.files.filter(state=FileState.WAITING))

    def sizes(self) -> Mapping[int, int]:
        return dict(self._imported.files.values_list("number", "size"))

    def waiting(self, numbers: Collection[int]) -> Mapping[int, ImportFile]:
        rows = self._imported.files.filter(state=FileState.WAITING, number__in=numbers)
        return {row.number: row for row in rows}

    def settle(self, rows: Sequence[ImportFile]) -> None:
        """They have them."""

    def known(self, rows: Iterable[ImportFile]) -> KnownBytes:
        digests = {row.sha256 for row in rows}
        same = self._imported.files.filter(sha256__in=digests).order_by("-number")
        return KnownBytes(digests, same.values_list("sha256", "number", "path"))

    def last(self) -> int:
        return int(self._imported.files.aggregate(last=Max("number"))["last"])

    def add(self, rows: Sequence[ImportFile]) -> None:
        ImportFile.objects.bulk_create(rows)

    def others_write(self) -> None:
        """They are kept."""

    def write(self, rows: Sequence[ImportFile], readings: Mapping[int, tuple[str, bytes]]) -> None:
        ImportFile.objects.bulk_update(rows, _WRITTEN, batch_size=500)
        if not self._imported.dry_run:
            readings_keep(readings)


class HeldFiles:
    """Rows of a new import that nobody has written yet, of MOST_HELD bytes at most: beyond that
    all of them are written, and read as rows that were. `readings`: what was measured in a file, by
    the key of its row, for whoever stores it next.
    """

    def __init__(self) -> None:
        self.rows: list[ImportFile] = []
        self.readings: dict[int, bytes] = {}
        self.is_open = True
        self._intake: Intake | None = None

    def take(self, rows: Sequence[ImportFile], intake: Intake) -> None:
        """Hold these new rows as well, or write them."""
        self._intake = intake
        self.add(rows)
        if not self.is_open or sum(row.size for row in self.rows) > MOST_HELD:
            self.is_open = False
            intake.stop()
            self.settle(self.rows)
            ImportFile.objects.bulk_create(self.rows)
            self.rows = []

    def settle(self, rows: Sequence[ImportFile]) -> None:
        if self._intake is not None:
            self._intake.settle(rows)

    def heads(self) -> Heads:
        return HeldHeads(
            [row for row in self.rows if row.state == FileState.WAITING],
            lambda row: self.settle([row]),
        )

    def sizes(self) -> Mapping[int, int]:
        return {row.number: row.size for row in self.rows}

    def waiting(self, numbers: Collection[int]) -> Mapping[int, ImportFile]:
        found, waiting = set(numbers), FileState.WAITING
        return {
            row.number: row for row in self.rows if row.number in found and row.state == waiting
        }

    def known(self, rows: Iterable[ImportFile]) -> KnownBytes:
        asked = list(rows)
        newest = max((row.number for row in asked), default=0)
        # An earlier file may be read later, as part of a result: its bytes are known before.
        self.settle([row for row in self.rows if row.number <= newest])
        digests = {row.sha256 for row in asked}
        same = [(row.sha256, row.number, row.path) for row in reversed(self.rows)]
        return KnownBytes(digests, same)

    def last(self) -> int:
        return max(row.number for row in self.rows)

    def add(self, rows: Sequence[ImportFile]) -> None:
        for row, key in zip(rows, keys_taken(ImportFile, len(rows)), strict=True):
            row.pk = key
        self.rows += rows

    def write(self, rows: Sequence[ImportFile], readings: Mapping[int, tuple[str, bytes]]) -> None:
        ImportFile.objects.bulk_create(rows)
        self.readings |= {key: content for key, (_tool, content) in readings.items()}

    def others_write(self) -> None:
        ImportFile.objects.bulk_create([row for row in self.rows if row.state != FileState.WAITING])

    def batches(self) -> Iterator[list[ImportFile]]:
        """As `FilesToStore` says."""
        parts: dict[int | None, list[ImportFile]] = {}
        for row in self.rows:
            parts.setdefault(row.belongs_to_id, []).append(row)
        due = {row.pk: row for row in parts.get(None, []) if row.keep and row.case_id is None}
        for row in due.values():
            setattr(row, PARTS, parts.get(row.pk, []))
        sizes = {
            key: row.size + sum(part.size for part in parts.get(key, []))
            for key, row in due.items()
            if row.state == FileState.UNDERSTOOD
        }
        for keys in batched(sizes):
            yield [due[key] for key in keys]

    def readings_of(self, rows: Sequence[ImportFile]) -> dict[int, ResultRead]:
        """As `FilesToStore` says."""
        found = {row.pk: unpacked(self.readings.pop(row.pk, b"")) for row in rows}
        return {key: reading for key, reading in found.items() if reading is not None}

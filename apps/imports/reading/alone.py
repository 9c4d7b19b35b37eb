"""Reading of small files that are each a result of their own, in processes that have nothing of
Django loaded or started.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.imports.limits import PACKING
from apps.imports.reading.around import SentText
from apps.imports.reading.found import places_of
from apps.imports.reading.packed import packed
from apps.imports.reading.result import ResultRead, read_result
from apps.runs.storage.encodings import compressed
from apps.tools.pasted.cutting import pieces_of
from apps.tools.values import Parameters

# Larger files are read here, within the memory that this process may take.
LARGEST = 4 << 20
# Fewer results are not worth the start of processes.
FEWEST = 64
# Results that a process reads before it answers: an errand takes two threads and two pipes.
AT_ONCE = 32


@dataclass(frozen=True)
class Understood:
    """An understood result: values of its file's row by their names, and the reading packed, which
    whoever stores it takes up.
    """

    fields: Mapping[str, object]
    packed: bytes | None = None
    is_understood: bool = False


TakenIn = tuple[str, bytes, Understood | None]
"""A new file's SHA-256, its packed bytes, and what it says where it was read."""


def understood(reading: ResultRead) -> Understood:
    """A reading as rows hold it."""
    row: dict[str, object] = {"tool": reading.tool, "refusal": reading.refusal}
    if reading.parsed is None:
        return Understood(row)
    told: dict[str, object] = {
        "said": reading.said,
        "format": reading.parsed.format[:20],
        "version": reading.version,
        "completeness": reading.parsed.completeness,
        "warnings": reading.warnings,
        "points": reading.found,
        "places": places_of(reading.found),
        "keys": [point.key for point in reading.points],
        "nameless_keys": [point.nameless_key for point in reading.points],
    }
    return Understood(row | told, packed(reading), is_understood=True)


def errands(sizes: Sequence[int | None]) -> Iterator[list[int]]:
    """Places of the results that one process reads before it answers: few enough that all
    processors are busy to the end, and their bytes fit."""
    some: list[int] = []
    held = 0
    for place, size in enumerate(sizes):
        if size is None:
            continue
        if some and (len(some) >= AT_ONCE or held + size > LARGEST):
            yield some
            some, held = [], 0
        some.append(place)
        held += size
    if some:
        yield some


def read_here(data: bytes, said: Parameters, as_run: str) -> Understood | None:
    """A file's bytes, read; None as above."""
    if pieces_of(data):
        return None
    sent = SentText(data)
    return understood(read_result({"stdout": data}, said=said, as_run=as_run, sent=sent))


def packed_bytes(data: bytes) -> tuple[str, bytes]:
    """A file's SHA-256, and its bytes packed."""
    return hashlib.sha256(data).hexdigest(), compressed(data, PACKING)


def take_in_each(files: Sequence[bytes], as_run: str) -> list[TakenIn]:
    """New files, each hashed, packed and read for itself."""
    return [(*packed_bytes(data), read_here(data, {}, as_run)) for data in files]


def take_in_paths(paths: Sequence[Path]) -> list[TakenIn | None]:
    """Files of this machine, each as above; None in the place of one that cannot be read."""
    return [_taken_in(path) for path in paths]


def _taken_in(path: Path) -> TakenIn | None:
    try:
        data = path.read_bytes()
        found = read_here(data, {}, "")
    except Exception:
        # Its sentence is in a person's language, which Django has to be loaded for.
        return None
    return (*packed_bytes(data), found if found and found.is_understood else None)

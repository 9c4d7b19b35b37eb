"""Processes that parse an import's small files while this one writes: a parser keeps a whole
processor busy, and so does the database.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from apps.imports.models import ImportFile
from apps.imports.reading.alone import (
    FEWEST,
    LARGEST,
    TakenIn,
    Understood,
    errands,
    read_here,
    take_in_each,
)
from apps.imports.reading.bundling import FileGroup
from apps.remote.agent.jobs.processes import die_with_parent
from apps.runs.storage.encodings import unpacked, whole
from apps.tools.values import Parameters

PackedFile = tuple[bytes, int, Parameters, str]
"""A file's packed bytes, how many they are unpacked, what is known of its parameters, and its
options as they were run.
"""


@dataclass(frozen=True)
class Ahead:
    """A result that another process reads: a place in its answer."""

    errand: Future[list[Understood | None]]
    place: int

    def result(self) -> Understood | None:
        """Wait for it; None where somebody has to read it here."""
        return self.errand.result()[self.place]


@dataclass(frozen=True)
class TakenAhead:
    """A result that another process reads while it packs the file. `sha256` is that of the bytes
    that are meant, where the process had them from somewhere else.
    """

    errand: Future[list[TakenIn]] | Future[list[TakenIn | None]]
    place: int
    sha256: str = ""

    def taken(self) -> TakenIn | None:
        """Wait for it; None where the process had other bytes, or none."""
        found = self.errand.result()[self.place]
        return found if found and self.sha256 in ("", found[0]) else None

    def result(self) -> Understood | None:
        """As `Ahead.result`."""
        found = self.taken()
        return found[2] if found else None


class Readers:
    """Reads ahead in as many processes as there are processors; in none where that is one, or
    nobody says that this process may fork (`forks`: it has no other threads). `early`: what is read
    of files since they came, by their numbers.
    """

    def __init__(self, *, forks: bool) -> None:
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None
        self._processors = len(os.sched_getaffinity(0))
        self.may_fork = forks and self._processors > 1
        self.early: dict[int, TakenAhead] = {}

    def __enter__(self) -> Readers:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def begin(self, results: int) -> None:
        """So many results are to be read: start the processes where that is worth it."""
        if self.may_fork and results >= FEWEST:
            self._begun()

    def take_in(self, files: Sequence[bytes], as_run: str) -> Future[list[TakenIn]]:
        """Have these new files hashed, packed and read, each for itself."""
        return self._begun().submit(take_in_each, files, as_run)

    def ahead(
        self, results: Sequence[tuple[FileGroup, Mapping[str, ImportFile]]]
    ) -> list[Ahead | TakenAhead | None]:
        """Have those of these results read that are one small file; None in the place of others."""
        begun: list[Ahead | TakenAhead | None] = [self._early(*each) for each in results]
        if self._pool is None:
            return begun
        sizes = [
            None if taken else _size_alone(*each)
            for taken, each in zip(begun, results, strict=True)
        ]
        for places in errands(sizes):
            packed_files = [_packed_file(*results[place]) for place in places]
            errand = self._pool.submit(read_each_alone, packed_files)
            for index, place in enumerate(places):
                begun[place] = Ahead(errand, index)
        return begun

    def _early(self, group: FileGroup, members: Mapping[str, ImportFile]) -> TakenAhead | None:
        """The reading of a file that says everything itself, begun when it came."""
        found = [self.early.pop(row.number, None) for row in members.values()]
        return found[0] if len(found) == 1 and not group.tool and not group.params else None

    def _begun(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("fork")
            self._pool = self._stack.enter_context(
                ProcessPoolExecutor(self._processors, context, initializer=die_with_parent)
            )
        return self._pool


def _size_alone(group: FileGroup, members: Mapping[str, ImportFile]) -> int | None:
    """The bytes of a result that another process may read, which is one small file."""
    if group.tool or len(members) != 1:
        return None
    (row,) = members.values()
    return row.size if row.size <= LARGEST else None


def _packed_file(group: FileGroup, members: Mapping[str, ImportFile]) -> PackedFile:
    (row,) = members.values()
    return bytes(row.content), row.size, group.params, group.as_run


def read_each_alone(files: Sequence[PackedFile]) -> list[Understood | None]:
    """Packed files, each read for itself."""
    return [read_alone(*each) for each in files]


def read_alone(content: bytes, size: int, said: Parameters, as_run: str) -> Understood | None:
    """A packed file, read; None for a text that holds several tools' results."""
    return read_here(whole(unpacked([content], size)), said, as_run)

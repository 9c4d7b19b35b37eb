"""Files are read: bundles found, tools recognised, figures understood, names proposed."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field, replace
from time import monotonic

from django.db import DatabaseError, transaction
from django.utils.translation import gettext as _

from apps.imports.content import content_of
from apps.imports.contract import Proposed
from apps.imports.models import SHARE, FileState, Import, ImportFile, ImportState
from apps.imports.reading.again import sent_text
from apps.imports.reading.alone import Understood, understood
from apps.imports.reading.bundling import FileGroup, groups_of
from apps.imports.reading.known import KnownBytes
from apps.imports.reading.proposals import proposed_tuning
from apps.imports.reading.readers import Ahead, Readers, TakenAhead
from apps.imports.reading.result import FAILED, ResultRead, read_result
from apps.imports.reading.sources import FilesToRead, HeldFiles, StoredFiles
from apps.imports.reading.splitting import split, unread
from apps.imports.services.naming import name_give
from apps.imports.services.turns import turn_end, turn_keep, turn_leave, turn_take
from apps.runs.storage.encodings import unpacked
from apps.tools.pasted.cutting import LARGEST as NEVER_SPLIT
from apps.tools.registry import is_monitor, reads_in_pieces
from apps.tools.text import MAX_OUTPUT

log = logging.getLogger(__name__)
BATCH_GROUPS = 500
BATCH_BYTES = 16 << 20


def import_read(
    *, import_id: int, seconds: float = math.inf, batch: int = BATCH_GROUPS, forks: bool = False
) -> bool:
    """Read everything of an import that was not read yet; False when it is not the time, when
    somebody else does, or when something is left: after `seconds` no other file is begun. What was
    read stays read, `batch` results at a time: one who comes after a crash goes on behind it.
    `forks`: other processes may read as well.
    """
    with Readers(forks=forks) as readers:
        return import_read_by(readers, import_id=import_id, seconds=seconds, batch=batch)


def import_read_by(
    readers: Readers,
    *,
    import_id: int,
    seconds: float = math.inf,
    batch: int = BATCH_GROUPS,
    held: HeldFiles | None = None,
) -> bool:
    """The same by readers that may have begun. `held`: rows that are not written yet."""
    until = monotonic() + seconds
    imported = turn_take(import_id, ImportState.RECEIVED)
    if imported is None:
        return False
    files = held if held is not None and held.is_open else StoredFiles(imported)
    groups = [replace(group, as_run=imported.as_run) for group in groups_of(files.heads())]
    files.others_write()
    readers.begin(len(groups) - len(readers.early))
    for begun in _ahead(files, groups, batch, readers):
        if not _read_batch(imported, files, begun, until):
            turn_leave(imported)
            return False
        turn_keep(imported)
    name_give(imported)
    turn_end(imported, state=ImportState.READ)
    return True


@dataclass
class _Begun:
    """A result with its files, and what somebody may be reading of it by now."""

    group: FileGroup
    members: Mapping[str, ImportFile]
    ahead: Ahead | TakenAhead | None = None


@dataclass
class _Batch:
    """Rows that are written at once: files that were read, pieces of them, and readings by the
    number of their file.
    """

    known: KnownBytes
    done: list[ImportFile] = field(default_factory=list)
    pieces: list[ImportFile] = field(default_factory=list)
    readings: dict[int, tuple[str, bytes]] = field(default_factory=dict)


def _ahead(
    files: FilesToRead, groups: Sequence[FileGroup], batch: int, readers: Readers
) -> Iterator[list[_Begun]]:
    """Some results at a time, the next ones begun before these are written."""
    before: list[_Begun] | None = None
    for some in _batches(files.sizes(), groups, batch):
        begun = _begun(files, some, readers)
        if before is not None:
            yield before
        before = begun
    if before is not None:
        yield before


def _batches(
    sizes: Mapping[int, int], groups: Sequence[FileGroup], batch: int
) -> Iterator[list[FileGroup]]:
    """So many results at a time, fewer where they are large."""
    some: list[FileGroup] = []
    held = 0
    for group in groups:
        size = sum(sizes[number] for number in group.files.values())
        if some and (len(some) >= batch or held + size > BATCH_BYTES):
            yield some
            some, held = [], 0
        some.append(group)
        held += size
    if some:
        yield some


def _begun(files: FilesToRead, groups: Sequence[FileGroup], readers: Readers) -> list[_Begun]:
    rows = files.waiting([number for group in groups for number in group.files.values()])
    found = []
    for group in groups:
        members = {role: rows[number] for role, number in group.files.items() if number in rows}
        if members:
            found.append((group, members))
    ahead = readers.ahead(found)
    return [_Begun(*each, being_read) for each, being_read in zip(found, ahead, strict=True)]


def _read_batch(
    imported: Import, files: FilesToRead, begun: Sequence[_Begun], until: float
) -> bool:
    """Read these results; False when it was time to stop before the last one."""
    rows = [row for each in begun for row in each.members.values()]
    files.settle(rows)
    batch = _Batch(files.known(rows))
    in_time = True
    for each in begun:
        if not (in_time := monotonic() <= until):
            break
        _read_surely(_read_or_split, each, batch)
        batch.done += each.members.values()
    with transaction.atomic():
        _add_pieces(imported, files, batch)
        files.write([*batch.done, *batch.pieces], batch.readings)
    return in_time


def _read_surely(read: Callable[[_Begun, _Batch], None], begun: _Begun, batch: _Batch) -> None:
    """Read a result or refuse it, whatever is raised: the others are read in any case."""
    try:
        read(begun, batch)
    except (DatabaseError, BrokenExecutor, MemoryError):
        raise
    except Exception:
        log.exception("reading an imported file failed")
        refused = ResultRead(begun.group.tool, refusal=_(FAILED))
        _take(begun.group, begun.members, understood(refused), batch)


def _read_or_split(begun: _Begun, batch: _Batch) -> None:
    """Read a result, or make pieces of a text that holds several tools' results."""
    group, members = begun.group, begun.members
    main = next(iter(members.values()))
    if found := _taken_ahead(begun):
        _take(group, members, found, batch)
    elif group.tool or len(members) > 1:
        _read_group(begun, batch)
        if main.state == FileState.UNDERSTOOD and "stdout" in members:
            main.warnings = [*main.warnings, *unread(content_of(main), main.format)]
    else:
        parts = split(main, content_of(main), group.params)
        batch.pieces += parts.pieces
        if not parts.pieces:
            _read_group(_Begun(replace(group, tool=parts.tool), members), batch)
            main.warnings = [*main.warnings, *parts.remarks]


def _taken_ahead(begun: _Begun) -> Understood | None:
    """The reading of another process; None where this one has to read."""
    try:
        return begun.ahead.result() if begun.ahead is not None else None
    except BrokenExecutor:
        raise
    except Exception:
        # One file of those that the process read together; which one, this process finds out.
        log.exception("reading imported files ahead failed")
        return None


def _add_pieces(imported: Import, files: FilesToRead, batch: _Batch) -> None:
    """Number and keep new files, and read each."""
    if not batch.pieces:
        return
    for number, piece in enumerate(batch.pieces, files.last() + 1):
        piece.number = number
    files.add(batch.pieces)
    batch.known = files.known(batch.pieces)
    # A recording names the test above it, which is read first.
    for piece in sorted(batch.pieces, key=lambda row: is_monitor(row.tool)):
        group = FileGroup({"stdout": piece.number}, piece.tool, as_run=imported.as_run)
        _read_surely(_read_group, _Begun(group, {"stdout": piece}), batch)


def _read_group(begun: _Begun, batch: _Batch) -> None:
    group, members = begun.group, begun.members
    large = {
        role: unpacked([bytes(row.content)], row.size)
        for role, row in members.items()
        if NEVER_SPLIT < row.size <= MAX_OUTPUT and reads_in_pieces(group.tool, role)
    }
    files = {role: b"" if role in large else content_of(row) for role, row in members.items()}
    main = next(iter(members.values()))
    reading = read_result(
        files,
        tool=group.tool,
        said=group.params,
        as_run=group.as_run,
        large=large,
        sent=sent_text(main, files.get("stdout", b""), batch.pieces),
    )
    _take(group, members, understood(reading), batch)


def _take(
    group: FileGroup, members: Mapping[str, ImportFile], found: Understood, batch: _Batch
) -> None:
    """Put what was understood of a result into the rows of its files."""
    main, *others = members.values()
    main.said = group.params
    main.state = FileState.UNDERSTOOD if found.is_understood else FileState.REFUSED
    for name, value in found.fields.items():
        setattr(main, name, value)
    if found.packed is not None:
        batch.readings[main.pk] = (main.tool, found.packed)
    for role, row in members.items():
        row.role = role
    for row in others:
        row.belongs_to, row.state, row.tool = main, main.state, main.tool
    if group.together and main.state == FileState.UNDERSTOOD:
        main.completeness = SHARE
    main.proposed = _proposed(group, main.path)
    main.known_as = batch.known.sentence(main)
    main.keep = main.state == FileState.UNDERSTOOD and not main.known_as


def _proposed(group: FileGroup, path: str) -> Proposed:
    """Host, target and tuning as names of folders and files propose them."""
    said = {
        "host_name": group.host[:64],
        "target_name": group.target[:200],
        "tuning_name": proposed_tuning(path),
    }
    return {name: text for name, text in said.items() if text}

"""Read files: group them, detect tools, parse results, suggest names."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from django.db import DatabaseError, transaction
from django.db.models import Max

from apps.imports.domain.parse_result import FAILED, ParseResult
from apps.imports.domain.parsed_file import ParsedFile, parsed_file_of
from apps.imports.domain.proposals import proposed_tuning
from apps.imports.models import SHARE, FileState, Import, ImportFile, ImportState
from apps.imports.schemas.stored import SuggestedNames
from apps.imports.selectors.content import content_of
from apps.imports.selectors.duplicates import EarlierBytes
from apps.imports.selectors.reparsed import members_read
from apps.imports.services.bundling import FileGroup, StoredHeads, groups_of
from apps.imports.services.default_names import import_default_name_set
from apps.imports.services.lease import (
    import_lease_acquire,
    import_lease_end,
    import_lease_release,
    import_lease_renew,
)
from apps.imports.services.processes import (
    MAX_SMALL_BYTES,
    MIN_FORKED_RESULTS,
    SmallFile,
    read_in_processes,
)
from apps.imports.services.splitting import split, unread
from apps.imports.services.to_store import BATCH_FILES, batched
from apps.tools.messages import message
from apps.tools.registry import is_monitor

log = logging.getLogger(__name__)
_WRITTEN = (
    *("state", "tool", "format", "version", "completeness", "points", "keys", "warnings"),
    *(
        "proposals",
        "nameless_keys",
        "parse_error",
        "role",
        "path_params",
        "primary_file",
        "suggested_names",
    ),
    *("duplicate_of", "selected"),
)


def import_read(
    *, import_id: int, seconds: float = math.inf, batch: int = BATCH_FILES, forks: bool = False
) -> bool:
    """Read the unread files of an import; return True when all are read.

    Returns False in another state, if another process has the lease, or if files remain: no result
    is started after `seconds`. Each batch of `batch` results is committed, so a later call
    continues after a crash. `forks`: the process has no other threads, so small files may be parsed
    in forked ones.
    """
    until = monotonic() + seconds
    imported = import_lease_acquire(import_id, ImportState.RECEIVED)
    if imported is None:
        return False
    waiting = imported.files.filter(state=FileState.WAITING)
    groups = [
        replace(group, job_options=imported.job_options)
        for group in groups_of(StoredHeads(waiting))
    ]
    forks = forks and len(groups) >= MIN_FORKED_RESULTS
    for some in _batches(imported, groups, batch):
        if not _read_batch(imported, some, until, forks=forks):
            import_lease_release(imported)
            return False
        import_lease_renew(imported)
    import_default_name_set(imported)
    import_lease_end(imported, state=ImportState.READ)
    return True


@dataclass
class _PendingResult:
    """Result with its files. `found`: its values if another process parsed it."""

    group: FileGroup
    members: Mapping[str, ImportFile]
    parsed: ParsedFile | None = None


@dataclass
class _Batch:
    """Rows written at once: files that were read, and pieces of them."""

    earlier: EarlierBytes
    done: list[ImportFile] = field(default_factory=list)
    pieces: list[ImportFile] = field(default_factory=list)


def _batches(
    imported: Import, groups: Sequence[FileGroup], batch: int
) -> Iterator[list[FileGroup]]:
    """Yield up to `batch` results at a time, fewer if they are large."""
    sizes = dict(imported.files.values_list("number", "size"))
    wholes = {
        index: sum(sizes[number] for number in group.files.values())
        for index, group in enumerate(groups)
    }
    for indices in batched(wholes, batch):
        yield [groups[index] for index in indices]


def _read_batch(
    imported: Import, groups: Sequence[FileGroup], until: float, *, forks: bool
) -> bool:
    """Read these results; return False if the time ended before the last one."""
    pending = _pending_results(imported, groups)
    if forks:
        _read_small_files(pending)
    batch = _Batch(
        _earlier_bytes(imported, [row for each in pending for row in each.members.values()])
    )
    in_time = True
    for each in pending:
        if not (in_time := monotonic() <= until):
            break
        _read_surely(_read_or_split, each, batch)
        batch.done += each.members.values()
    with transaction.atomic():
        _add_pieces(imported, batch)
        for row in (*batch.done, *batch.pieces):
            # bulk_update takes three times as long. No row matches if the import was discarded.
            values = {name: getattr(row, name) for name in _WRITTEN}
            ImportFile.objects.filter(pk=row.pk).update(**values)
    return in_time


def _pending_results(imported: Import, groups: Sequence[FileGroup]) -> list[_PendingResult]:
    numbers = [number for group in groups for number in group.files.values()]
    waiting = imported.files.filter(state=FileState.WAITING, number__in=numbers)
    rows = {row.number: row for row in waiting}
    results = []
    for group in groups:
        members = {role: rows[number] for role, number in group.files.items() if number in rows}
        if members:
            results.append(_PendingResult(group, members))
    return results


def _read_small_files(pending: Sequence[_PendingResult]) -> None:
    """Parse results of one small file and unknown tool in other processes."""
    small = [
        (each, next(iter(each.members.values())))
        for each in pending
        if not each.group.tool and len(each.members) == 1
    ]
    small = [(each, row) for each, row in small if row.size <= MAX_SMALL_BYTES]
    files = [
        SmallFile(bytes(row.content), row.size, each.group.params, each.group.job_options)
        for each, row in small
    ]
    for (each, _row), parsed in zip(small, read_in_processes(files), strict=True):
        each.parsed = parsed


def _earlier_bytes(imported: Import, rows: Sequence[ImportFile]) -> EarlierBytes:
    """Return the earlier occurrences of the bytes of these files."""
    digests = {row.sha256 for row in rows}
    same = imported.files.filter(sha256__in=digests).order_by("-number")
    return EarlierBytes(digests, same.values_list("sha256", "number", "path"))


def _read_surely(
    read: Callable[[_PendingResult, _Batch], None], pending: _PendingResult, batch: _Batch
) -> None:
    """Read a result; on an unexpected error it fails and the others continue."""
    try:
        read(pending, batch)
    except (DatabaseError, MemoryError):
        raise
    except Exception:
        log.exception("reading an imported file failed")
        refused = ParseResult(pending.group.tool, parse_error=message(FAILED))
        _take(pending.group, pending.members, parsed_file_of(refused), batch)


def _read_or_split(pending: _PendingResult, batch: _Batch) -> None:
    """Read a result, or split a text with results of several tools."""
    group, members = pending.group, pending.members
    main = next(iter(members.values()))
    if pending.parsed:
        _take(group, members, pending.parsed, batch)
    elif group.tool or len(members) > 1:
        _read_group(pending, batch)
        if main.state == FileState.PARSED and "stdout" in members:
            main.warnings = [*main.warnings, *unread(content_of(main), main.format)]
    else:
        parts = split(main, content_of(main), group.params)
        batch.pieces += parts.pieces
        if not parts.pieces:
            _read_group(_PendingResult(replace(group, tool=parts.tool), members), batch)
            main.warnings = [*main.warnings, *parts.remarks]


def _add_pieces(imported: Import, batch: _Batch) -> None:
    """Assign numbers to the files that were split from texts, store and read them."""
    if not batch.pieces:
        return
    last = int(imported.files.aggregate(last=Max("number"))["last"])
    for number, piece in enumerate(batch.pieces, last + 1):
        piece.number = number
    ImportFile.objects.bulk_create(batch.pieces, batch_size=BATCH_FILES)
    batch.earlier = _earlier_bytes(imported, batch.pieces)
    # Recordings come last, because they refer to the tests above them.
    for piece in sorted(batch.pieces, key=lambda row: is_monitor(row.tool)):
        group = FileGroup({"stdout": piece.number}, piece.tool, job_options=imported.job_options)
        _read_surely(_read_group, _PendingResult(group, {"stdout": piece}), batch)


def _read_group(pending: _PendingResult, batch: _Batch) -> None:
    group, members = pending.group, pending.members
    reading = members_read(
        members,
        tool=group.tool,
        path_params=group.params,
        job_options=group.job_options,
        pieces=batch.pieces,
    )
    _take(group, members, parsed_file_of(reading), batch)


def _take(
    group: FileGroup, members: Mapping[str, ImportFile], parsed: ParsedFile, batch: _Batch
) -> None:
    """Set the parsed values of a result on the rows of its files."""
    main, *others = members.values()
    main.path_params = group.params
    main.state = FileState.PARSED if parsed.is_parsed else FileState.FAILED
    for name, value in parsed.fields.items():
        setattr(main, name, value)
    for role, row in members.items():
        row.role = role
    for row in others:
        row.primary_file, row.state, row.tool = main, main.state, main.tool
    if group.together and main.state == FileState.PARSED:
        main.completeness = SHARE
    main.suggested_names = _suggested_names(group, main.path)
    main.duplicate_of = batch.earlier.sentence(main)
    main.selected = main.state == FileState.PARSED and not main.duplicate_of


def _suggested_names(group: FileGroup, path: str) -> SuggestedNames:
    """Return host, target and tuning suggested by names of folders and files."""
    names = {
        "host_name": group.host[:64],
        "target_name": group.target[:200],
        "tuning_name": proposed_tuning(path),
    }
    return {name: text for name, text in names.items() if text}

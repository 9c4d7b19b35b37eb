"""Files are read: bundles found, tools recognised, figures understood, names proposed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from django.db import transaction
from django.db.models import Max, QuerySet

from apps.common.copying import objects_copy, objects_update
from apps.imports.bundling import Group, Heads, groups_of
from apps.imports.content import content_of
from apps.imports.handed_on import reading_keep
from apps.imports.known import Known
from apps.imports.models import SHARE, FileState, Import, ImportFile, ImportState
from apps.imports.proposals import proposed_tuning
from apps.imports.reading import ResultRead, point_json, read_result
from apps.imports.services.naming import name_give
from apps.imports.services.turns import turn_end, turn_keep, turn_leave, turn_take
from apps.imports.splitting import split, unread

BATCH_GROUPS = 100
_WRITTEN = (
    *("state", "tool", "format", "version", "completeness", "points", "keys", "warnings"),
    *("nameless_keys", "refusal", "role", "said", "belongs_to", "proposed", "known_as", "keep"),
)


def import_read(*, import_id: int, seconds: float = math.inf, batch: int = BATCH_GROUPS) -> bool:
    """Read everything of an import that was not read yet; False when it is not the time, when
    somebody else does, or when something is left: after `seconds` no other file is begun. What was
    read stays read, `batch` results at a time: one who comes after a crash goes on behind it.
    """
    until = monotonic() + seconds
    imported = turn_take(import_id, ImportState.RECEIVED)
    if imported is None:
        return False
    waiting = imported.files.filter(state=FileState.WAITING)
    for groups in _batches(groups_of(Heads(waiting)), batch):
        if not _read_batch(imported, waiting, groups, until):
            turn_leave(imported)
            return False
        turn_keep(imported)
    name_give(imported)
    turn_end(imported, state=ImportState.READ)
    return True


def _batches(groups: Sequence[Group], size: int) -> Iterator[Sequence[Group]]:
    for start in range(0, len(groups), size):
        yield groups[start : start + size]


def _read_batch(
    imported: Import, waiting: QuerySet[ImportFile], groups: Sequence[Group], until: float
) -> bool:
    """Read these results; False when it was time to stop before the last one."""
    numbers = [number for group in groups for number in group.files.values()]
    rows = {row.number: row for row in waiting.filter(number__in=numbers)}
    known = Known(imported, rows.values())
    pieces: list[ImportFile] = []
    done: list[ImportFile] = []
    for group in groups:
        if monotonic() > until:
            break
        members = {role: rows[number] for role, number in group.files.items() if number in rows}
        if members:
            pieces += _read_or_split(group, members, known)
        done += members.values()
    else:
        until = math.inf
    with transaction.atomic():
        _add_pieces(imported, pieces)
        objects_update([*done, *pieces], _WRITTEN)
    return until == math.inf


def _read_or_split(
    group: Group, members: Mapping[str, ImportFile], known: Known
) -> list[ImportFile]:
    """Read a result, or give back the pieces of a text that holds several tools' results."""
    if group.tool or len(members) > 1:
        _read_group(group, members, known)
        main = next(iter(members.values()))
        if main.state == FileState.UNDERSTOOD and "stdout" in members:
            main.warnings = [*main.warnings, *unread(content_of(main), main.format)]
        return []
    (main,) = members.values()
    found = split(main, content_of(main), group.params)
    if not found.pieces:
        _read_group(replace(group, tool=found.tool), members, known)
        main.warnings = [*main.warnings, *found.remarks]
    return found.pieces


def _add_pieces(imported: Import, pieces: Sequence[ImportFile]) -> None:
    """Number and keep new files, and read each."""
    if not pieces:
        return
    last = imported.files.aggregate(last=Max("number"))["last"]
    for number, piece in enumerate(pieces, last + 1):
        piece.number = number
    objects_copy(pieces)
    known = Known(imported, pieces)
    for piece in pieces:
        _read_group(Group({"stdout": piece.number}, tool=piece.tool), {"stdout": piece}, known)


def _read_group(group: Group, members: Mapping[str, ImportFile], known: Known) -> None:
    main, *others = members.values()
    files = {role: content_of(row) for role, row in members.items()}
    reading = read_result(files, tool=group.tool, said=group.params)
    _understand(main, reading)
    for role, row in members.items():
        row.role = role
    reading_keep([main, *others], reading)
    for row in others:
        row.belongs_to, row.state, row.tool = main, main.state, main.tool
    if group.together and main.state == FileState.UNDERSTOOD:
        main.completeness = SHARE
    main.said = group.params
    main.proposed = _proposed(group, main.path)
    main.known_as = known.sentence(main)
    main.keep = main.state == FileState.UNDERSTOOD and not main.known_as


def _proposed(group: Group, path: str) -> dict[str, object]:
    """What names of folders and files say of where and under what it was measured."""
    said = {
        "host_name": group.host[:64],
        "target_name": group.target[:200],
        "tuning_name": proposed_tuning(path),
    }
    return {name: text for name, text in said.items() if text}


def _understand(row: ImportFile, reading: ResultRead) -> None:
    row.tool, row.refusal = reading.tool, reading.refusal
    row.state = FileState.REFUSED
    if reading.parsed is not None:
        row.state = FileState.UNDERSTOOD
        row.format, row.version = reading.parsed.format[:20], reading.version
        row.completeness, row.warnings = reading.parsed.completeness, reading.warnings
        row.points = [point_json(point) for point in reading.points]
        row.keys = [point.key for point in reading.points]
        row.nameless_keys = [point.nameless_key for point in reading.points]

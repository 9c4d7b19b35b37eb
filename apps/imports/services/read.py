"""Files are read: bundles found, tools recognised, figures understood, names proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.db.models import QuerySet

from apps.imports.bundling import Group, Heads, groups_of
from apps.imports.content import content_of
from apps.imports.known import Known
from apps.imports.models import SHARE, FileState, Import, ImportFile, ImportState
from apps.imports.proposals import proposed_tuning
from apps.imports.reading import Reading, point_json, read_result
from apps.imports.services.turns import turn_end, turn_keep, turn_take

BATCH_GROUPS = 100
_WRITTEN = (
    *("state", "tool", "format", "version", "completeness", "points", "keys", "warnings"),
    *("refusal", "role", "said", "belongs_to", "host_name", "target_name", "tuning_name"),
    *("known_as", "keep"),
)


def import_read(*, import_id: int) -> bool:
    """Read everything of an import that was not read yet; False when it is not the time or
    somebody else does. What was read stays read: one who comes after a crash goes on behind it.
    """
    imported = turn_take(import_id, ImportState.RECEIVED)
    if imported is None:
        return False
    waiting = imported.files.filter(state=FileState.WAITING)
    for batch in _batches(groups_of(Heads(waiting))):
        _read_batch(imported, waiting, batch)
        turn_keep(imported)
    turn_end(imported, state=ImportState.READ)
    return True


def _batches(groups: Sequence[Group]) -> Iterator[Sequence[Group]]:
    for start in range(0, len(groups), BATCH_GROUPS):
        yield groups[start : start + BATCH_GROUPS]


def _read_batch(imported: Import, waiting: QuerySet[ImportFile], groups: Sequence[Group]) -> None:
    numbers = [number for group in groups for number in group.files.values()]
    rows = {row.number: row for row in waiting.filter(number__in=numbers)}
    known = Known(imported, rows.values())
    for group in groups:
        members = {role: rows[number] for role, number in group.files.items() if number in rows}
        if members:
            _read_group(group, members, known)
    _write(list(rows.values()))


def _read_group(group: Group, members: Mapping[str, ImportFile], known: Known) -> None:
    main, *others = members.values()
    files = {role: content_of(row) for role, row in members.items()}
    reading = read_result(files, tool=group.tool, said=group.params)
    _understand(main, reading)
    for role, row in members.items():
        row.role = role[:100]
    for row in others:
        row.belongs_to, row.state, row.tool = main, main.state, main.tool
    if group.together and main.state == FileState.UNDERSTOOD:
        main.completeness = SHARE
    main.said = group.params
    main.host_name, main.target_name = group.host[:64], group.target[:200]
    main.tuning_name = proposed_tuning(main.path)
    main.known_as = known.sentence(main)
    main.keep = main.state == FileState.UNDERSTOOD and not main.known_as


def _understand(row: ImportFile, reading: Reading) -> None:
    row.tool, row.refusal = reading.tool, reading.refusal
    row.state = FileState.REFUSED
    if reading.parsed is not None:
        row.state = FileState.UNDERSTOOD
        row.format, row.version = reading.parsed.format[:20], reading.version
        row.completeness, row.warnings = reading.parsed.completeness, reading.warnings
        row.points = [point_json(point) for point in reading.points]
        row.keys = [point.key for point in reading.points]


def _write(rows: list[ImportFile]) -> None:
    """One statement for all: an insert that finds the rows there and updates them. The bytes are
    not sent again.
    """
    for row in rows:
        row.content = b""
    ImportFile.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["of", "number"], update_fields=_WRITTEN
    )

"""Preview of an import as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.common.domain import units
from apps.imports.models import FileState, Import
from apps.imports.presenters.preview import FileRow, PointRow, file_rows
from apps.imports.schemas.points import OperationValues
from apps.imports.selectors.imports import files_shown, import_counts

MAX_FILES = 200
MAX_REFUSALS = 50
MAX_POINTS = 200
HEAD = ("file", "tool", "workload", "figures", "host", "target", "tuning", "repeat")


def preview_lines(imported: Import) -> Iterator[str]:
    """Yield a table with one line per parsed result, and a line of totals."""
    understood = files_shown(imported).filter(state=FileState.PARSED)
    rows = file_rows(imported, understood[:MAX_FILES])
    cells = [line for row in rows for line in _lines(row)]
    if cells:
        yield from _aligned([HEAD, *cells])
    counts = import_counts(imported)
    if counts["parsed"] > MAX_FILES:
        yield f"... and {counts['parsed'] - MAX_FILES:,} files more"
    yield (
        f"{counts['parsed']:,} files understood, {counts['failed']:,} not, "
        f"{counts['skipped']:,} left out, {counts['split']:,} split, "
        f"{counts['duplicates']:,} known already."
    )


def copy_lines(imported: Import) -> Iterator[str]:
    """Yield a line for each output that a text contains twice and that counts once."""
    understood = files_shown(imported).filter(state=FileState.PARSED, selected=True)
    copied = [
        file
        for file in understood[:MAX_FILES]
        if any(point.same_as is not None for point in file.points)
    ]
    for row in file_rows(imported, copied, most=MAX_POINTS):
        for point in row.points:
            if point.same_as and point.repeat is None:
                yield f"{row.file.path}: {point.same_as}; counted once"


def refusal_lines(imported: Import) -> Iterator[str]:
    """Yield a message for each file without results and each duplicate."""
    unparsed = files_shown(imported).exclude(state=FileState.PARSED, duplicate_of="")
    for row in unparsed[:MAX_REFUSALS]:
        yield f"{row.path}: {row.parse_error or row.duplicate_of}"
    if unparsed.count() > MAX_REFUSALS:
        yield f"... and {unparsed.count() - MAX_REFUSALS:,} more"


def _lines(row: FileRow) -> Iterator[tuple[str, ...]]:
    path, version = row.file.path, f"{row.tool} {row.file.version}".strip()
    for point in row.points:
        repeat = str(point.repeat or "-")
        names = (point.names.host, point.names.target or "-", point.names.tuning, repeat)
        yield (path, version, point.label, _figures(point, row.network), *names)
        path = version = ""
    if row.more:
        yield ("", "", f"... and {row.more} more", *[""] * 5)


def _figures(point: PointRow, network: bool) -> str:
    return "; ".join(_figure(each, network) for each in point.measurements)


def _figure(figures: OperationValues, network: bool) -> str:
    speed = units.gbit_per_second if network else units.mib_per_second
    values = [
        format_value(value)
        for value, format_value in (
            (figures.bandwidth, speed),
            (figures.iops, units.operations_per_second),
            (figures.latency_mean, units.nanoseconds),
        )
        if value is not None
    ]
    return f"{figures.operation} {', '.join(values)}"


def _aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(map(str.ljust, line, widths)).rstrip()

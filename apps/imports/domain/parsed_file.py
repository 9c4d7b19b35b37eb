"""Field values of a parsed file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.imports.domain.parse_result import ParseResult
from apps.imports.schemas.points import proposals_of


@dataclass(frozen=True)
class ParsedFile:
    """Values of an ImportFile by field name."""

    fields: Mapping[str, object]
    is_parsed: bool = False


def parsed_file_of(reading: ParseResult) -> ParsedFile:
    """Return the field values of a parse result."""
    row: dict[str, object] = {"tool": reading.tool, "parse_error": reading.parse_error}
    if reading.parsed is None:
        return ParsedFile(row)
    values: dict[str, object] = {
        "path_params": reading.path_params,
        "format": reading.parsed.format[:20],
        "version": reading.version,
        "completeness": reading.parsed.completeness,
        "warnings": reading.warnings,
        "points": reading.preview_points,
        "proposals": proposals_of(reading.preview_points),
        "keys": [point.key for point in reading.points],
        "nameless_keys": [point.nameless_key for point in reading.points],
    }
    return ParsedFile(row | values, is_parsed=True)

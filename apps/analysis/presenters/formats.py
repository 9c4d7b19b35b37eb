"""File formats of analysis results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import orjson
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.presenters.markdown import markdown
from apps.analysis.presenters.parquet import parquet
from apps.analysis.presenters.serializers import AnalysisResultSerializer
from apps.analysis.presenters.sheets import csv_lines, workbook
from apps.analysis.result import AnalysisResult, Table
from apps.common.api.columnar import PARQUET
from apps.common.errors import ServiceError

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True)
class File:
    """File that is streamed, so that a table of millions of rows needs no memory."""

    name: str
    media_type: str
    pieces: Iterator[bytes]


Render = Callable[[AnalysisResult, str], Iterator[bytes]]


def _json(result: AnalysisResult, table: str) -> Iterator[bytes]:
    yield orjson.dumps(AnalysisResultSerializer(result).data)


def _csv(result: AnalysisResult, table: str) -> Iterator[bytes]:
    chosen = _chosen(result, table)
    return (line.encode() for line in csv_lines(chosen))


def _parquet(result: AnalysisResult, table: str) -> Iterator[bytes]:
    return parquet(_chosen(result, table))


def _xlsx(result: AnalysisResult, table: str) -> Iterator[bytes]:
    yield workbook([result])


def _md(result: AnalysisResult, table: str) -> Iterator[bytes]:
    yield markdown([result]).encode()


FORMATS: Mapping[str, tuple[str | Promise, str, Render]] = {
    "csv": (lazy("CSV"), "text/csv; charset=utf-8", _csv),
    "parquet": (lazy("Parquet"), PARQUET, _parquet),
    "xlsx": (lazy("Excel"), XLSX, _xlsx),
    "json": (lazy("JSON"), "application/json", _json),
    "md": (lazy("Markdown"), "text/markdown; charset=utf-8", _md),
}
"""Display name, media type and renderer by format name."""


def offered_formats() -> list[tuple[str, str]]:
    """Return the formats and their display names."""
    return [(key, str(label)) for key, (label, _type, _render) in FORMATS.items()]


def file_of(result: AnalysisResult, file_format: str, table: str = "") -> File:
    """Return a result in a format; `table`: of CSV and Parquet, default the first.

    Raises: ServiceError (400) for an unknown format or table.
    """
    if file_format not in FORMATS:
        text = _("There is no such format. There are: {formats}.")
        message = text.format(formats=", ".join(FORMATS))
        raise ServiceError(message, {"format": message}, status=400)
    _label, media_type, render = FORMATS[file_format]
    return File(f"{result.view}.{file_format}", media_type, render(result, table))


def _chosen(result: AnalysisResult, key: str) -> Table:
    match = result.table(key) if key else next(iter(result.tables), Table("", "", (), ()))
    if match is None:
        text = _("There is no such table. There are: {tables}.")
        message = text.format(tables=", ".join(table.key for table in result.tables))
        raise ServiceError(message, {"table": message}, status=400)
    return match

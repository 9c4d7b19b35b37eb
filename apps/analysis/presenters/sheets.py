"""Tables as CSV and Excel. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

import xlsxwriter
from django.utils.translation import gettext as _

from apps.analysis.presenters.table_cells import canonical_unit, head_text, scale_of, scaled
from apps.analysis.result import AnalysisResult, Column, Table, Value
from apps.common.api.columnar import safe

# Text of users or hosts stays text: no formula, no link.
PLAIN = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_FORBIDDEN = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
MAX_NAME_LENGTH = 31
MAX_WIDTH = 60

Formats = Mapping[str, Any]
"""Formats of a workbook by name; XlsxWriter has no types."""


def csv_lines(table: Table) -> Iterator[str]:
    """Return a table's lines with CRLF ends (RFC 4180), in canonical units.

    The first line has the columns' keys. Text that a spreadsheet would run as a formula gets an
    apostrophe in front (OWASP, "CSV Injection").
    """
    yield _line(_csv_head(column) for column in table.columns)
    for row in table.rows:
        yield _line(row.cells)


def _csv_head(column: Column) -> str:
    unit = canonical_unit(column)
    return f"{column.key} [{unit}]" if unit else column.key


def _line(cells: Iterable[Value]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([safe(cell) for cell in cells])
    return out.getvalue()


def workbook(results: Sequence[AnalysisResult], facts: Sequence[tuple[str, str]] = ()) -> bytes:
    """Return an .xlsx file: a sheet of findings, then one per table. `facts` are the first rows.

    Numbers are in the unit of the column's heading.
    """
    target = BytesIO()
    with xlsxwriter.Workbook(target, PLAIN) as book:
        formats = _formats(book)
        names: set[str] = set()
        _summary_sheet(book.add_worksheet(_name(_("Summary"), names)), results, facts, formats)
        for result in results:
            for table in result.tables:
                title = f"{result.title}, {table.title}" if len(results) > 1 else table.title
                _sheet(book.add_worksheet(_name(title, names)), table, title, formats)
    return target.getvalue()


def _formats(book: Any) -> Formats:
    return {
        "bold": book.add_format({"bold": True}),
        "head": book.add_format({"bold": True, "text_wrap": True, "valign": "top"}),
        "metric": book.add_format({"num_format": "#,##0.0##"}),
        "number": book.add_format({"num_format": "#,##0.###"}),
        "ratio": book.add_format({"num_format": "+0.0;-0.0;0.0"}),
        "chance": book.add_format({"num_format": "0.0000"}),
    }


def _name(title: str, used: set[str]) -> str:
    """Return a unique sheet name: at most 31 characters, none that Excel forbids."""
    base_name = title.translate(_FORBIDDEN).strip() or _("Table")
    name, number = base_name[:MAX_NAME_LENGTH], 1
    while name.lower() in used:
        number += 1
        end = f" {number}"
        name = base_name[: MAX_NAME_LENGTH - len(end)] + end
    used.add(name.lower())
    return name


def _summary_sheet(
    sheet: Any,
    results: Sequence[AnalysisResult],
    facts: Sequence[tuple[str, str]],
    formats: Formats,
) -> None:
    sheet.set_column(0, 0, 28)
    sheet.set_column(1, 1, 100)
    lines = [*facts, *(line for result in results for line in finding_lines(result))]
    for row, (name, text) in enumerate(lines):
        sheet.write_string(row, 0, name, formats["bold"])
        sheet.write_string(row, 1, text)


def finding_lines(result: AnalysisResult) -> list[tuple[str, str]]:
    """Return findings, notes and basis of a result as (name, text)."""
    lines = [("", ""), (str(result.title), result.subject or result.empty)]
    lines += [("", finding.text) for finding in result.headline]
    lines += [("", note) for note in result.notes]
    return [*lines, *((fact.name, fact.text) for fact in result.basis)]


def _sheet(sheet: Any, table: Table, title: str, formats: Formats) -> None:
    sheet.write_string(0, 0, title, formats["bold"])
    sheet.write_string(1, 0, table.note)
    for index, column in enumerate(table.columns):
        _column(sheet, index, column, [row.cells[index] for row in table.rows], formats)
    sheet.freeze_panes(4, 1)
    if table.rows:
        sheet.autofilter(3, 0, 3 + len(table.rows), len(table.columns) - 1)


def _column(
    sheet: Any, index: int, column: Column, values: Sequence[Value], formats: Formats
) -> None:
    scale = scale_of(column, values)
    head = head_text(column, scale)
    longest = max([len(value) for value in values if isinstance(value, str)], default=0)
    sheet.set_column(index, index, min(max(12, longest + 2, len(head) // 2 + 4), MAX_WIDTH))
    sheet.write_string(3, index, head, formats["head"])
    for row, value in enumerate(values, 4):
        shown = scaled(column, scale, value)
        if isinstance(shown, str):
            sheet.write_string(row, index, shown)
        elif shown is not None:
            sheet.write_number(row, index, shown, formats.get(column.kind, formats["number"]))

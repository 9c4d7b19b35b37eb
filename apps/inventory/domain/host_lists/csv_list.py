"""CSV: benchlab's own columns, and the device list that NetBox exports."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists.rows import (
    MAX_HOSTS,
    HostList,
    HostRow,
    ListError,
    short,
    too_many_text,
)

COLUMNS = ("name", "address", "port", "user", "jump", "tags", "key")
# NetBox's headings in its two exports (table and "all data"), in lower case.
NETBOX = {
    "name": "name",
    "ip address": "address",
    "primary_ip4": "address",
    "primary_ip": "address",
    "ipv4 address": "address",
    "tags": "tags",
    "role": "",
    "site": "",
    "status": "",
    "device_type": "",
    "type": "",
    "manufacturer": "",
}
DELIMITERS = (",", ";", "\t")
_FORMULA_MARK = re.compile(r"\A'(?=[=+@-])")
"""The export writes it before text that a spreadsheet would evaluate."""

# NetBox exports about 60 columns.
MAX_COLUMNS = 500
MAX_HEADER = 1 << 16  # below the limit of the module csv


def header_of(text: str) -> list[str]:
    """Return the headings of the first line that has text, in lower case."""
    line = first_line(text)[:MAX_HEADER]
    cells = next(csv.reader([line], delimiter=delimiter_of(line)), [])[: MAX_COLUMNS + 1]
    return [cell.strip().strip('"').lower() for cell in cells]


def first_line(text: str) -> str:
    lines = (line for line in text.split("\n") if line.strip() and not line.startswith("#"))
    return next(lines, "")


def delimiter_of(line: str) -> str:
    return max(DELIMITERS, key=line.count)


def csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row below the headings; not empty ones.

    Raises: ListError.
    """
    lines = text.split("\n")
    start = lines.index(first_line(text))
    reader = csv.reader(lines[start + 1 :], delimiter=delimiter_of(lines[start]))
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].startswith("#"):
                yield start + 1 + reader.line_num, cells
    except csv.Error as error:
        line = start + 1 + reader.line_num
        text = _("Line %(line)d is no CSV: %(reason)s.") % {"line": line, "reason": error}
        raise ListError(text) from error


def is_csv(header: list[str]) -> bool:
    """Return True for a heading of this form: it names the hosts and another known column."""
    known = [cell for cell in header if cell in COLUMNS]
    return "name" in known and (len(known) > 1 or len(header) == 1)


def is_netbox(header: list[str]) -> bool:
    return "name" in header and any(
        cell in NETBOX and cell not in COLUMNS and cell != "" for cell in header
    )


def read_csv(text: str) -> HostList:
    """Return the rows of CSV with benchlab's columns, in any order."""
    return _read(text, "csv", lambda cell: cell if cell in COLUMNS else "")


def read_netbox_csv(text: str) -> HostList:
    """Return the rows of a device list of NetBox; the length of a prefix is cut off."""
    result = _read(text, "netbox_csv", lambda cell: NETBOX.get(cell, ""))
    for row in result.rows:
        if row.address:
            row.address = row.address.partition("/")[0]
        row.adds_tags = True
    return result


def _read(text: str, form: str, column_of: Callable[[str], str]) -> HostList:
    header = header_of(text)
    columns = _columns(header, form, column_of)
    unused = [cell for cell, name in zip(header, columns, strict=True) if not name and cell]
    rows: list[HostRow] = []
    for line, cells in csv_rows(text):
        rows.append(_row(line, columns, cells))
        if len(rows) > MAX_HOSTS:
            raise ListError(too_many_text())
    notes = [_("Columns that are not used: %(names)s.") % {"names": short(", ".join(unused))}]
    return HostList(form, rows, notes if unused else [])


def _columns(header: list[str], form: str, column_of: Callable[[str], str]) -> list[str]:
    """Return the column that each cell of the header names, or "". Raises: ListError."""
    if len(header) > MAX_COLUMNS:
        text = _("The first line has more than %(limit)d columns.") % {"limit": MAX_COLUMNS}
        raise ListError(text)
    columns = [column_of(cell) for cell in header]
    if form == "netbox_csv":  # it exports primary_ip beside primary_ip4
        columns = ["" if name in columns[:index] else name for index, name in enumerate(columns)]
    doubles = {cell for cell in columns if cell and columns.count(cell) > 1}
    if "name" not in columns:
        raise ListError(_("The first line must name the columns, at least “name”."))
    if doubles:
        raise ListError(_("The column “%(name)s” is there twice.") % {"name": min(doubles)})
    return columns


def _row(line: int, columns: list[str], cells: list[str]) -> HostRow:
    row = HostRow(line, "")
    if len([cell for cell in cells if cell.strip()]) > len(columns):
        row.errors.append(_("The line has more values than the first line has columns."))
    for name, written in zip(columns, cells, strict=False):
        cell = _FORMULA_MARK.sub("", written)
        if name == "tags":
            row.tags = [tag for tag in re.split(r"[\s,;]+", cell) if tag] or None
        elif name:
            row.set_value(name, cell)
    return row

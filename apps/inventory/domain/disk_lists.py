"""Lists of disks to enrol: CSV with the host and the serial of each disk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists import ListError, short
from apps.inventory.domain.host_lists.csv_list import csv_rows, header_of
from apps.inventory.domain.host_lists.decode import unify
from apps.inventory.domain.host_lists.rows import plain_text

COLUMNS = ("host", "serial", "wwn", "model", "note")
REQUIRED = ("host", "serial")
MAX_DISKS = 2000
# 1.23E+10 and 1,23E+10: what a spreadsheet makes of a long number.
_SCIENTIFIC = re.compile(r"[+-]?\d+([.,]\d+)?E[+-]?\d+", re.IGNORECASE)
_DECIMAL = re.compile(r"\d+[.,]0+")
_EXACT_DIGITS = 15  # of a number in a spreadsheet; later digits become zeros


@dataclass
class DiskRow:
    """One disk of a list, before it is compared. `errors`: why it cannot be used."""

    line: int
    host: str = ""
    serial: str = ""
    wwn: str = ""
    model: str = ""
    note: str = ""
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class DiskList:
    """The rows of a text. `notes`: what of the text is not used."""

    rows: list[DiskRow]
    notes: list[str]


def read_disk_list(text: str) -> DiskList:
    """Return the rows of CSV whose first line names the columns, in any order.

    Raises: ListError if nothing of the text can be read.
    """
    # A lone surrogate, which JSON may have, is in no name and no serial.
    text = unify(text).encode("utf-8", "replace").decode()
    if not text.strip():
        raise ListError(_("The list is empty."))
    header = header_of(text)
    columns = [cell if cell in COLUMNS else "" for cell in header]
    _check_columns(columns)
    rows = _rows(text, columns)
    if not rows:
        raise ListError(_("The list names no disk."))
    unused = short(", ".join(cell for cell in header if cell and cell not in COLUMNS))
    note = _("Columns that are not used: %(names)s.") % {"names": unused}
    return DiskList(rows, [note] if unused else [])


def _check_columns(columns: list[str]) -> None:
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise ListError(_("The first line must name the columns “host” and “serial”."))
    doubles = {cell for cell in columns if cell and columns.count(cell) > 1}
    if doubles:
        raise ListError(_("The column “%(name)s” is there twice.") % {"name": min(doubles)})


def _rows(text: str, columns: list[str]) -> list[DiskRow]:
    rows: list[DiskRow] = []
    for line, cells in csv_rows(text):
        rows.append(_row(line, columns, cells))
        if len(rows) > MAX_DISKS:
            refusal = _("The list has more than %(limit)d disks. Split it.")
            raise ListError(refusal % {"limit": MAX_DISKS})
    return rows


def _row(line: int, columns: list[str], cells: list[str]) -> DiskRow:
    row = DiskRow(line)
    if columns[-1] == "note":  # it may have commas, full-width ones among them
        cells = [*cells[: len(columns) - 1], ", ".join(cells[len(columns) - 1 :])]
    if any(cell.strip() for cell in cells[len(columns) :]):
        row.errors.append(_("The line has more values than the first line has columns."))
    for name, cell in zip(columns, cells, strict=False):
        text, error = plain_text(cell)
        if name and error:
            row.errors.append(f"{name}: {error}")
        elif name:
            setattr(row, name, text)
    if not row.host:
        row.errors.append(_("The line names no host."))
    if not row.serial and not row.wwn:
        row.errors.append(_("The line has neither a serial nor a WWN."))
    return row


def damage_text(serial: str) -> str:
    """Return what a spreadsheet has done to a serial, "" if nothing is recognised."""
    if _SCIENTIFIC.fullmatch(serial):
        return _(
            "“%(serial)s” is a number that a spreadsheet has shortened. The serial is lost: format "
            "the column as text and enter it again."
        ) % {"serial": short(serial)}
    if serial.startswith(("'", "=")):
        return _("“%(serial)s” begins with a mark of a spreadsheet. Give the serial only.") % {
            "serial": short(serial)
        }
    if _DECIMAL.fullmatch(serial):
        return _("“%(serial)s” is a number with decimals that a spreadsheet has added.") % {
            "serial": short(serial)
        }
    return ""


def near_text(serial: str, reported: Iterable[str]) -> str:
    """Return how a serial differs from one that the host reports, "" if none is near."""
    for other in reported:
        values = {"serial": short(serial), "reported": short(other)}
        if other.casefold() == serial.casefold():
            return _("The host reports %(reported)s, in other letter case.") % values
        if serial.isdecimal() and other.lstrip("0") == serial.lstrip("0"):
            return (
                _("The host reports %(reported)s: leading zeros differ, as a spreadsheet does it.")
                % values
            )
        if _is_rounded(serial, other):
            return (
                _("The host reports %(reported)s: a spreadsheet has rounded “%(serial)s”.") % values
            )
    return ""


def _is_rounded(serial: str, other: str) -> bool:
    return (
        serial.isdecimal()
        and other.isdecimal()
        and len(serial) == len(other) > _EXACT_DIGITS
        and serial.endswith("0" * (len(serial) - _EXACT_DIGITS))
        and serial[: _EXACT_DIGITS - 1] == other[: _EXACT_DIGITS - 1]
    )


def same_wwn(first: str, second: str) -> bool:
    """Return True for one world-wide name in two notations (wwn:, naa., eui. or 0x in front)."""
    return bool(_bare(first)) and _bare(first) == _bare(second)


def _bare(wwn: str) -> str:
    text = wwn.strip().lower().removeprefix("wwn:")
    for prefix in ("naa.", "eui.", "nvme.", "0x"):
        text = text.removeprefix(prefix)
    return text

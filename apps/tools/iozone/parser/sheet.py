"""Convert iozone's Excel file (-R -b out.xls) to the lines of the report that iozone prints.

The file is a BIFF 2 sheet, or a workbook into which a spreadsheet program converted it. A BIFF 2
file is a sequence of records: number (16 bits), length (16 bits), content, all little endian. LABEL
(4) and NUMBER (3) contain row, column, three bytes of attributes, and a text with its length before
it, or a 64-bit float; EOF (10) is the end. Source: iozone, libbif.c; OpenOffice.org's documentation
of the Microsoft Excel file format, BIFF2.
"""

from __future__ import annotations

import math
import struct
from collections import defaultdict
from collections.abc import Iterator, Mapping

from apps.tools.errors import OutputError
from apps.tools.workbooks import HUGE, first_sheet, is_workbook

BEGIN = b"\x09\x00\x04\x00\x02\x00\x10\x00"
_NUMBER, _LABEL, _EOF = 3, 4, 10
MAX_RECORDS = 1_000_000
STRIDE = 17  # default of iozone
END = "iozone test complete."
SheetRow = dict[int, str | float]


def is_sheet(data: bytes) -> bool:
    """Return True if these bytes begin like iozone's sheets, or are a workbook."""
    return data.startswith(BEGIN) or is_workbook(data)


def text_of(data: bytes) -> str:
    """Return the sheet as iozone prints it: command line, then the report's blocks.

    If the sheet has its end record, iozone's last line is added. A workbook has no such record.

    Raises: OutputError for an unreadable workbook.
    """
    if not data.startswith(BEGIN):
        return _text(first_sheet(data), ended=False)
    rows: dict[int, SheetRow] = defaultdict(dict)
    ended = False
    for kind, content in _records(data):
        if kind == _EOF:
            ended = True
        elif cell := _cell(kind, content):
            row, column, value = cell
            rows[row][column] = value
    return _text(rows, ended)


def _text(rows: Mapping[int, SheetRow], ended: bool) -> str:
    if sum(max(row) for row in rows.values()) > MAX_RECORDS:
        raise OutputError(HUGE)  # an output row has as many cells as its last column
    lines = [line for number in sorted(rows) for line in _lines(number, rows[number])]
    return "\n".join([*lines, *([END] if ended else []), ""])


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    offset = len(BEGIN)
    for _ in range(MAX_RECORDS):
        if offset + 4 > len(data):
            return
        kind, length = struct.unpack_from("<HH", data, offset)
        content = data[offset + 4 : offset + 4 + length]
        if len(content) < length:
            return  # truncated
        yield kind, content
        offset += 4 + length


def _cell(kind: int, content: bytes) -> tuple[int, int, str | float] | None:
    if kind not in (_NUMBER, _LABEL) or len(content) < 8:
        return None
    row, column = struct.unpack_from("<HH", content)
    if kind == _LABEL:
        return row, column, content[8 : 8 + content[7]].decode("latin-1")
    if len(content) < 15:
        return None
    (value,) = struct.unpack_from("<d", content, 7)
    return (row, column, value) if math.isfinite(value) and 0 <= value < 2**63 else None


def _lines(number: int, row: SheetRow) -> Iterator[str]:
    """Yield a row in the format of the report.

    An empty cell in the middle becomes 0, which iozone prints for tests that did not run.
    """
    label = row.get(0)
    if isinstance(label, str):
        label = " ".join(label.splitlines())
    figures = {column: value for column, value in row.items() if isinstance(value, float)}
    if any(not math.isfinite(value) or not 0 <= value < 2**63 for value in figures.values()):
        return
    if number == 0:
        yield f"File stride size set to {STRIDE} * record size."
        yield f"Command line used: {label}"
    elif isinstance(label, str):
        yield " ".join([f'"{label}"', *(str(figures[column]) for column in sorted(figures))])
    elif 0 not in figures:
        yield " ".join(f'"{int(figures[column])}"' for column in sorted(figures))
    else:
        last = max(figures)
        values = [str(int(figures.get(column, 0))) for column in range(1, last + 1)]
        yield " ".join([f'"{int(figures[0])}"', *values])

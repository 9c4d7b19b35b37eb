"""Detect lines of iozone that a mail program wrapped."""

from __future__ import annotations

import re

from .columns import COLUMNS, HEADING
from .invocation import Context, find_command
from .options import WITH_VALUE, options
from .table import Table

MIN_WRAPPED_LENGTH = 50  # mail programs do not wrap shorter lines
_HEADING_REST = re.compile(
    rf"\s*(?:(?:{'|'.join(sorted({word for word, _ in COLUMNS}))})(?:\s+|$))+$", re.IGNORECASE
)
_COUNTS = re.compile(r"\s*\d{1,15}(?:\s+\d{1,15}){0,19}\s*$")
_RECORDS = re.compile(r'\s*(?:"\d{1,12}"\s*){1,64}$')
_REPORT_ROW = re.compile(r'\s*"\d{1,12}"(?:\s+\d{1,15}){1,64}\s*$')
_THROUGHPUT = re.compile(
    r"(?:Children see|Parent sees) throughput for|throughput per (?:process|thread)|Min xfer"
    r"|Each (?:process|thread) writes|xfer count ="
)
_THROUGHPUT_ENDS = re.compile(r"(?:/sec|records|\d (?:kB|KB|ops))\s*$")
_OPTION = re.compile(r"\s*-[A-Za-z+]")
_PATH = re.compile(r"\s*[/~.]\S+\s*$")


def is_wrapped(line: str, rest: str, table: Table, context: Context) -> bool:
    """Return True if `rest` continues `line`.

    `table`, `context`: the state of parsing before `line`.
    """
    if not rest.strip() or not line.strip():
        return False
    if _RECORDS.match(line):
        return line.count('"') > 2 and _RECORDS.match(rest) is not None
    if _REPORT_ROW.match(line):
        return _COUNTS.match(rest) is not None
    if _COUNTS.match(line):
        return table.wrapped and _is_row(line.split(), rest, table, context)
    if _THROUGHPUT.search(line):
        return not (_THROUGHPUT_ENDS.search(line) or _THROUGHPUT.search(rest) or '"' in rest)
    if HEADING.search(line):
        return _HEADING_REST.match(rest) is not None
    return _is_command(line, rest)


def _is_row(words: list[str], rest: str, table: Table, context: Context) -> bool:
    """Return True if a row that is too short for its columns ends in the next line."""
    more = rest.split()
    chosen = context.operations() or table.operations
    if not _COUNTS.match(rest) or len(words) + len(more) > len(chosen) + 2:
        return False
    return len(more) < 2 or not _begins_row(int(more[0]), int(more[1]))


def _begins_row(file_size: int, record: int) -> bool:
    return 0 < record <= file_size and record & (record - 1) == 0


def _is_command(line: str, rest: str) -> bool:
    words = find_command(line)
    if words is None or (
        len(line.rstrip()) < MIN_WRAPPED_LENGTH and not line.rstrip().endswith("\\")
    ):
        return False
    named = list(options(words))
    last, value = named[-1] if named else ("", "")
    if _OPTION.match(rest) or _PATH.match(rest) or (last[1:] in WITH_VALUE and not value):
        return True
    processes = [int(text) for name, text in named if name == "-t" and text.isdecimal()]
    files = sum(name == "-F" and bool(text) for name, text in named)
    return last == "-F" and len(rest.split()) + files <= max(processes, default=0)

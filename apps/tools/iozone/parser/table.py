"""Parse the table of file size x record size x operation.

On the screen the position of a value determines its column; a blank column is an operation that did
not run. If a web page or a mail removed the blanks, only the number of values is left. It must
match all columns of the heading, or those selected by -i.
"""

from __future__ import annotations

import re

from .cells import Cell
from .columns import HEADING, heading_operations
from .invocation import Context

# A value ends within one character of its heading (iozone 3.x); columns are 8 or more apart.
MAX_MISALIGNMENT = 3
MAX_DIGITS = 15
_WORD = re.compile(r"\S+")
NO_COLUMNS = (
    "The table stands in one line, and no -i of a command line says which columns are filled."
)


class Table:
    """Parser of a heading and its rows. `unclear` counts rows with unknown columns."""

    def __init__(self) -> None:
        self.operations: tuple[str, ...] = ()
        self.ends: tuple[int, ...] = ()
        self.cells: list[Cell] = []
        self.unclear = 0
        self.flat = False
        self.wrapped = False
        self.flat_unclear = False
        self.loose_end = False

    def heading(self, line: str, context: Context, *, wrapped: bool = False) -> bool:
        """Parse a heading, and the rows after it if all are in one line.

        `wrapped`: it was split into several lines, so values are not aligned with it.
        """
        match = HEADING.search(line)
        operations = heading_operations(match["words"].split()) if match else None
        if match is None or operations is None:
            return False
        self.operations, self.wrapped = operations, wrapped
        self.ends = tuple(word.end() for word in _WORD.finditer(line[: match.end()]))
        self.ends = self.ends[-len(operations) - 2 :]
        self._flat(line[match.end() :].split(), context)
        return True

    def row(self, line: str, context: Context) -> bool:
        """Parse a row of the table; return False for any other line."""
        if not self.operations:
            return False
        words = list(_WORD.finditer(line))
        if not 2 <= len(words) <= len(self.operations) + 2:
            return False
        if not all(_is_count(word[0]) for word in words):
            return False
        figures = [int(word[0]) for word in words]
        columns = None if self.wrapped else self._columns([word.end() for word in words])
        if columns is None:
            chosen = self._counted(len(figures) - 2, context)
            self.unclear += chosen is None and len(figures) > 2
        else:
            chosen = tuple(self.operations[column - 2] for column in columns[2:])
        self._add(figures, chosen or ())
        return True

    def _columns(self, ends: list[int]) -> list[int] | None:
        """Return the columns under which a row's values end; None if they are not aligned."""
        columns: list[int] = []
        for end in ends:
            column = min(range(len(self.ends)), key=lambda index: abs(self.ends[index] - end))
            if abs(self.ends[column] - end) > MAX_MISALIGNMENT or (
                columns and column <= columns[-1]
            ):
                return None
            columns.append(column)
        return columns if columns[:2] == [0, 1] else None

    def _counted(self, count: int, context: Context) -> tuple[str, ...] | None:
        if count == len(self.operations):
            return self.operations
        selected = context.operations()
        return selected if selected is not None and len(selected) == count else None

    def _flat(self, words: list[str], context: Context) -> None:
        """Parse rows in the heading's own line, with as many values as -i selected operations."""
        figures: list[int] = []
        for word in words:
            if not _is_count(word):
                break
            figures.append(int(word))
        if not figures:
            return
        self.flat = True
        selected = context.operations()
        if not selected:
            self.flat_unclear = True
            return
        width = len(selected) + 2
        for start in range(0, len(figures) - width + 1, width):
            self._add(figures[start : start + width], selected)
        self.loose_end = bool(len(figures) % width)

    def _add(self, figures: list[int], operations: tuple[str, ...]) -> None:
        file_kb, record_kb, *values = figures
        self.cells += [
            Cell(operation, file_kb, record_kb, value)
            for operation, value in zip(operations, values, strict=False)
        ]


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS

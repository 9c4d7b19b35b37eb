"""The table of file size x record size x operation.

On the screen a figure's place tells its column, and a blank column is an operation that was not
run. Where a web page or a mail took the blanks away, only the number of figures is left: it must
be all columns of the heading, or those that the command line's -i selected.
"""

from __future__ import annotations

import re

from .cells import Cell
from .columns import HEADING, heading_operations
from .invocation import Context

# A figure ends at most one letter beside its heading (iozone 3.x); columns are eight or more apart.
NEAR = 3
MAX_DIGITS = 15
_WORD = re.compile(r"\S+")
NO_COLUMNS = (
    "The table stands in one line, and no -i of a command line says which columns are filled."
)


class Table:
    """Takes a heading, then its rows. `unclear` counts rows whose columns cannot be known."""

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
        """Take a heading, and the rows behind it if all stand in one line. `wrapped`: it stood in
        several lines, so that figures do not stand below it.
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
        """Take a row of the table; False for any other line."""
        if not self.operations:
            return False
        words = list(_WORD.finditer(line))
        if not 2 <= len(words) <= len(self.operations) + 2:
            return False
        if not all(_is_count(word[0]) for word in words):
            return False
        figures = [int(word[0]) for word in words]
        places = None if self.wrapped else self._places([word.end() for word in words])
        if places is None:
            chosen = self._counted(len(figures) - 2, context)
            self.unclear += chosen is None and len(figures) > 2
        else:
            chosen = tuple(self.operations[place - 2] for place in places[2:])
        self._add(figures, chosen or ())
        return True

    def _places(self, ends: list[int]) -> list[int] | None:
        """The columns under which a row's figures end, None if they do not stand under any."""
        places: list[int] = []
        for end in ends:
            place = min(range(len(self.ends)), key=lambda at: abs(self.ends[at] - end))
            if abs(self.ends[place] - end) > NEAR or (places and place <= places[-1]):
                return None
            places.append(place)
        return places if places[:2] == [0, 1] else None

    def _counted(self, count: int, context: Context) -> tuple[str, ...] | None:
        if count == len(self.operations):
            return self.operations
        selected = context.operations()
        return selected if selected is not None and len(selected) == count else None

    def _flat(self, words: list[str], context: Context) -> None:
        """Rows in the heading's own line: as many figures each as -i selected operations."""
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

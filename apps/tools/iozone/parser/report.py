"""Parse the Excel report (-R): quoted record sizes and file sizes for each operation, in kB.

iozone prints it below the table, with the same values; some texts contain only the report.
"""

from __future__ import annotations

import re

from .cells import Cell
from .columns import REPORTS

TITLE = re.compile(r'^\s*"(?P<name>[A-Za-z -]{4,20}) report"\s*$', re.IGNORECASE)
# Other reports of the same form, such as CPU utilisation (-+u).
OTHER = re.compile(r'^\s*"[^"]{0,100}\breport\b', re.IGNORECASE)
_RECORDS = re.compile(r'^\s*(?:"\d{1,12}"\s*){1,64}$')
_ROW = re.compile(r'^\s*"(?P<file>\d{1,12})"(?P<figures>(?:\s+\d{1,15}){1,64})\s*$')
_NUMBER = re.compile(r"\d+")


class Report:
    """Line parser of the report's blocks."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.operation: str | None = None
        self.records: list[int] = []
        self._seen: set[str] = set()

    def has(self, line: str) -> bool:
        """Return True if this is the title of a report that was already parsed."""
        if not self.cells or (match := TITLE.match(line)) is None:
            return False
        operation = REPORTS.get(match["name"].lower())
        return operation in self._seen

    def line(self, line: str) -> bool:
        """Parse a line of the report; return False for any other line."""
        if match := TITLE.match(line):
            self.operation = REPORTS.get(match["name"].lower())
            self.records = []
            if self.operation is not None:
                self._seen.add(self.operation)
            return self.operation is not None
        if OTHER.match(line):
            self.operation = None
        if self.operation is None:
            return False
        if _RECORDS.match(line):
            self.records = [int(each) for each in _NUMBER.findall(line)]
            return True
        match = _ROW.match(line)
        if not match or not self.records:
            return False
        file_kb = int(match["file"])
        figures = [int(each) for each in match["figures"].split()]
        # A small file has fewer records, so its row is shorter.
        self.cells += [
            Cell(self.operation, file_kb, record, figure)
            for record, figure in zip(self.records, figures, strict=False)
        ]
        return True

"""Parse the report of throughput mode (-R with -t): a sum for each number of processes.

iozone prints it below the lines with the same values; its Excel file contains only the report.
"""

from __future__ import annotations

import re

from .columns import THROUGHPUT
from .invocation import BYTES, KB, OPERATIONS, Context
from .report import OTHER
from .throughput import Block

TITLE = re.compile(r'^\s*"Throughput report Y-axis is type of test', re.IGNORECASE)
_RECORD = re.compile(r'^\s*"Record size = (\d{1,12}) kBytes', re.IGNORECASE)
_UNIT = re.compile(r'^\s*"Output is in (?P<unit>kBytes|ops)/sec', re.IGNORECASE)
_ROW = re.compile(
    r'^\s*"\s*(?P<name>[A-Za-z-]{3,12}(?: [a-z]{3,10})?)\s*"'
    r"(?P<figures>(?:\s+[\d.]{1,24}){1,256})\s*$",
    re.IGNORECASE,
)


class ThroughputReport:
    """Line parser of title, sizes and rows."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.open = False
        self.record: int | None = None
        self.unit = BYTES

    def line(self, line: str, context: Context) -> bool:
        """Parse a line of the report; return False for any other line."""
        if TITLE.match(line):
            self.open = True
        elif not self.open or OTHER.match(line):
            self.open = False
            return False
        elif match := _RECORD.match(line):
            self.record = int(match[1]) * KB
        elif match := _UNIT.match(line):
            self.unit = OPERATIONS if match["unit"].lower() == "ops" else BYTES
        elif (match := _ROW.match(line)) and match["name"].lower() in THROUGHPUT:
            self._row(match, context)
        else:
            return False
        return True

    def _row(self, match: re.Match[str], context: Context) -> None:
        """Add a value for each number of processes of the command line, in its order."""
        figures = [_figure(text) for text in match["figures"].split()]
        threads = context.process_counts()
        counts = threads if len(threads) == len(figures) else None
        for index, value in enumerate(figures):
            block = Block(
                match["name"].lower(), counts[index] if counts else None, value, self.unit,
                context.file_size, self.record,
            )  # fmt: skip
            # Values of unknown numbers of processes are not repeats of each other.
            block.column = index + 1 if not counts and len(figures) > 1 else None
            self.blocks.append(block)


def _figure(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0

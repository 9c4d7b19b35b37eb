"""One call of iozone as its lines are read, or what somebody copied of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement
from apps.tools.text import without_variables
from apps.tools.words import gettext_noop

from .cells import cell_measurement
from .columns import HEADING, THROUGHPUT
from .invocation import Context, find_command
from .report import Report
from .table import Table
from .throughput import UNKNOWN, Throughput, block_measurement
from .throughput_report import ThroughputReport

END = "iozone test complete."
_VERSION = re.compile(r"Version \$Revision: (?P<version>[\d.]{1,12}) \$")
_FAILED = re.compile(
    r"^\s*(?:Can(?: |')?n?o?t |Error |(?:open|read|write|fsync|close|mmap|stat): "
    r"|.{0,100}not supported in throughput mode)"
)
_POOR = re.compile(r"^Timer resolution is poor")
MAX_REMARKS = 20
CUT = "The output is cut off."
NO_END = "The text has no end mark of iozone: completeness unknown."


_HEADER_BEGINS = re.compile(
    r"^\s*(?:Run began:|Auto Mode|File size set to|Record Size \d|Using m(?:in|ax)imum file size)"
)


def begins_header(line: str) -> bool:
    """Whether a call begins here whose first lines are not there."""
    return _HEADER_BEGINS.match(line) is not None


class IozoneRun:
    """`banner`: its first lines are there; `lines`: its first and its last one, from 1."""

    def __init__(self) -> None:
        self.banner = False
        self.ended = False
        self.lines: tuple[int, int] | None = None
        self.version: str | None = None
        self.context = Context()
        self.table = Table()
        self.report = Report()
        self.throughput = Throughput()
        self.together = ThroughputReport()
        self.failures: list[str] = []

    def line(self, line: str, number: int, count: int = 1) -> None:
        """Sort one line in, which a mailer made `count` lines of. A page may have put all lines
        into one, so a line can hold several things.
        """
        if END in line:
            self.ended = True
            self.at(number)
        if self._result(line) or self._head(line, wrapped=count > 1):
            self.at(number)
            self.at(number + count - 1)

    def at(self, number: int) -> None:
        """A line of the text belongs to this call."""
        self.lines = (self.lines[0] if self.lines else number, number)

    def is_over(self, line: str) -> bool:
        """Whether a line is of another call: behind results a command, a heading, or the same block
        or report once more.
        """
        if not self.has_results and not self.ended:
            return False
        if self.table.cells and HEADING.search(line):
            return True
        again = self.throughput.has(line) or self.report.has(line) or begins_header(line)
        return again or find_command(line) is not None

    @property
    def has_results(self) -> bool:
        """Whether there is a figure already."""
        return bool(
            self.table.cells or self.throughput.blocks or self.report.cells or self.together.blocks
        )

    def _result(self, line: str) -> bool:
        return (
            self.throughput.line(line, self.context)
            or self.table.row(line, self.context)
            or self.report.line(line)
            or self.together.line(line, self.context)
        )

    def _head(self, line: str, *, wrapped: bool) -> bool:
        called = self.context.read(line)
        if match := _VERSION.search(line):
            self.version = match["version"]
        if (_FAILED.match(line) or _POOR.match(line)) and len(self.failures) < MAX_REMARKS:
            self.failures.append(line.strip()[:300])
        return self.table.heading(line, self.context, wrapped=wrapped) or called

    @property
    def only_reports(self) -> bool:
        """Whether nothing but the Excel report is there."""
        return not self.table.cells and not self.throughput.blocks

    def measurements(self) -> list[Measurement]:
        """Table and throughput blocks; the report only where it stands alone, as it repeats
        them.
        """
        cells = self.report.cells if self.only_reports else self.table.cells
        found = [cell_measurement(cell, self.context) for cell in cells]
        blocks = self.throughput.blocks or self.together.blocks
        found += [block_measurement(block, self.context) for block in blocks]
        return [each for each in found if each is not None]

    def results(self, operations: frozenset[str] | None = None) -> list[Measurement]:
        """The measurements of some operations (None: of all), with what counts for all of them."""
        found = self.measurements()
        chosen = [each for each in found if operations is None or each.operation in operations]
        state, remarks = self.completeness(), tuple(dict.fromkeys(self.remarks()))
        target = without_variables(self.context.target)
        return [
            replace(each, target=target, completeness=state, warnings=remarks, lines=self.lines)
            for each in chosen
        ]

    def remarks(self) -> Iterator[str]:
        """Remarks that must be made about this run."""
        yield from self.failures
        for block in self.throughput.blocks:
            if block.name not in THROUGHPUT:
                yield UNKNOWN.format(block.name)
        if self.table.unclear:
            words = gettext_noop("%(number)d rows were left out: their columns cannot be known.")
            yield message(words, number=self.table.unclear)
        if self.table.loose_end:
            yield "The last row is incomplete and was left out."
        state = self.completeness()
        if state != "whole":
            yield CUT if state == "partial" else NO_END

    def completeness(self) -> Completeness:
        """Whole with iozone's last line; flattened and copied text has none."""
        if self.ended:
            return "partial" if self.table.unclear else "whole"
        return "partial" if self.banner and not self.table.flat else "unknown"

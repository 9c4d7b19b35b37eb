"""State of one call of iozone during parsing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement
from apps.tools.text import without_variables
from apps.tools.translation import gettext_noop

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
    """Return True if a call without its first lines begins here."""
    return _HEADER_BEGINS.match(line) is not None


class IozoneRun:
    """Parsed lines of one call.

    - `banner`: its first lines are present.
    - `lines`: first and last line number, from 1.
    """

    def __init__(self) -> None:
        self.banner = False
        self.ended = False
        self.lines: tuple[int, int] | None = None
        self.version: str | None = None
        self.context = Context()
        self.table = Table()
        self.report = Report()
        self.throughput = Throughput()
        self.throughput_report = ThroughputReport()
        self.failures: list[str] = []

    def line(self, line: str, number: int, count: int = 1) -> None:
        """Parse one line, which a mail program split into `count` lines.

        A page may have joined all lines into one, so a line can contain several elements.
        """
        if END in line:
            self.ended = True
            self.at(number)
        if self._result(line) or self._head(line, wrapped=count > 1):
            self.at(number)
            self.at(number + count - 1)

    def at(self, number: int) -> None:
        """Extend the line range by a line."""
        self.lines = (self.lines[0] if self.lines else number, number)

    def is_over(self, line: str) -> bool:
        """Return True if a line belongs to another call.

        After results these are a command, a heading, and a repeated block or report.
        """
        if not self.has_results and not self.ended:
            return False
        if self.table.cells and HEADING.search(line):
            return True
        is_repeated = self.throughput.has(line) or self.report.has(line) or begins_header(line)
        return is_repeated or find_command(line) is not None

    @property
    def has_results(self) -> bool:
        """Return True if a value was parsed."""
        return bool(
            self.table.cells
            or self.throughput.blocks
            or self.report.cells
            or self.throughput_report.blocks
        )

    def _result(self, line: str) -> bool:
        return (
            self.throughput.line(line, self.context)
            or self.table.row(line, self.context)
            or self.report.line(line)
            or self.throughput_report.line(line, self.context)
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
        """Return True if only the Excel report is present."""
        return not self.table.cells and not self.throughput.blocks

    def measurements(self) -> list[Measurement]:
        """Return table and throughput blocks; the report only alone, because it repeats them."""
        cells = self.report.cells if self.only_reports else self.table.cells
        measurements = [cell_measurement(cell, self.context) for cell in cells]
        blocks = self.throughput.blocks or self.throughput_report.blocks
        measurements += [block_measurement(block, self.context) for block in blocks]
        return [each for each in measurements if each is not None]

    def results(self, operations: frozenset[str] | None = None) -> list[Measurement]:
        """Return the measurements of some operations (None: all), with the run's common members."""
        measurements = self.measurements()
        chosen = [
            each for each in measurements if operations is None or each.operation in operations
        ]
        state, remarks = self.completeness(), tuple(dict.fromkeys(self.remarks()))
        target = without_variables(self.context.target)
        return [
            replace(each, target=target, completeness=state, warnings=remarks, lines=self.lines)
            for each in chosen
        ]

    def remarks(self) -> Iterator[str]:
        """Yield the remarks about this run."""
        yield from self.failures
        for block in self.throughput.blocks:
            if block.name not in THROUGHPUT:
                yield UNKNOWN.format(block.name)
        if self.table.unclear:
            template = gettext_noop("%(number)d rows were left out: their columns cannot be known.")
            yield message(template, number=self.table.unclear)
        if self.table.loose_end:
            yield "The last row is incomplete and was left out."
        state = self.completeness()
        if state != "whole":
            yield CUT if state == "partial" else NO_END

    def completeness(self) -> Completeness:
        """Return "whole" with iozone's last line; flattened and copied text has no such line."""
        if self.ended:
            return "partial" if self.table.unclear else "whole"
        return "partial" if self.banner and not self.table.flat else "unknown"

"""A text with iozone's output in it -> measurements.

A text may hold several runs, each from its banner on. iozone says "iozone test complete." at its
end; a run with a banner and without that was cut off. What people copy without a banner has no end
to look for.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from apps.tools.base import Completeness, Measurement, Output, OutputError, Parsed, ToolError
from apps.tools.sentences import sentence
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text
from apps.tools.words import gettext_noop

from .cells import cell_measurement
from .columns import HEADING, PLANNED, THROUGHPUT
from .invocation import Context
from .report import TITLE, Report
from .sheet import BEGIN, is_sheet, text_of
from .table import NO_COLUMNS, Table
from .throughput import UNKNOWN, Throughput, block_measurement
from .throughput_report import TITLE as TOGETHER
from .throughput_report import ThroughputReport

BANNER = "Iozone: Performance Test of File I/O"
END = "iozone test complete."
_CHILDREN = re.compile(r"Children see throughput for +\d")
_VERSION = re.compile(r"Version \$Revision: (?P<version>[\d.]{1,12}) \$")
_FAILED = re.compile(
    r"^\s*(?:Can(?: |')?n?o?t |Error |(?:open|read|write|fsync|close|mmap|stat): "
    r"|.{0,100}not supported in throughput mode)"
)
_POOR = re.compile(r"^Timer resolution is poor")
_LOOKS = 1024**2
MAX_LINE = 1024**2
MAX_REMARKS = 20
CUT = "The output is cut off."
NO_END = "The text has no end mark of iozone: completeness unknown."


class IozoneRun:
    """One iozone process, or what somebody copied of it."""

    def __init__(self, banner: bool = False) -> None:
        self.banner = banner
        self.ended = False
        self.version: str | None = None
        self.context = Context()
        self.table = Table()
        self.report = Report()
        self.throughput = Throughput()
        self.together = ThroughputReport()
        self.failures: list[str] = []

    def line(self, line: str) -> None:
        """Sort one line in. A page may have put all lines into one, so a line can hold several
        things."""
        if END in line:
            self.ended = True
        if self.throughput.line(line, self.context) or self.table.row(line, self.context):
            return
        if self.report.line(line) or self.together.line(line, self.context):
            return
        self.context.read(line)
        if match := _VERSION.search(line):
            self.version = match["version"]
        self.table.heading(line, self.context)
        if (_FAILED.match(line) or _POOR.match(line)) and len(self.failures) < MAX_REMARKS:
            self.failures.append(line.strip()[:300])

    @property
    def only_reports(self) -> bool:
        """Whether nothing but the Excel report is there."""
        return not self.table.cells and not self.throughput.blocks

    def measurements(self) -> list[Measurement]:
        """Table and throughput blocks; the report only where it stands alone, as it repeats
        them."""
        cells = self.report.cells if self.only_reports else self.table.cells
        found = [cell_measurement(cell, self.context) for cell in cells]
        blocks = self.throughput.blocks or self.together.blocks
        found += [block_measurement(block, self.context) for block in blocks]
        return [each for each in found if each is not None]

    def remarks(self) -> Iterator[str]:
        """Remarks that must be made about this run."""
        yield from self.failures
        for block in self.throughput.blocks:
            if block.name not in THROUGHPUT:
                yield UNKNOWN.format(block.name)
        if self.table.unclear:
            words = gettext_noop("%(number)d rows were left out: their columns cannot be known.")
            yield sentence(words, number=self.table.unclear)
        if self.table.loose_end:
            yield "The last row is incomplete and was left out."

    def completeness(self) -> Completeness:
        """Whole with iozone's last line; flattened and copied text has none."""
        if self.ended:
            return "partial" if self.table.unclear else "whole"
        return "partial" if self.banner and not self.table.flat else "unknown"


def recognises(data: bytes) -> bool:
    """Whether the bytes hold iozone's banner, table, throughput lines or report; also a workbook
    that cannot be read, so that its reader says why.
    """
    try:
        head = text_of(data) if is_sheet(data) else as_text(data[:_LOOKS])
    except OutputError:
        return True
    if BANNER in head or HEADING.search(head) or _CHILDREN.search(head):
        return True
    return any(_is_title(line[:200]) for line in head.split("\n"))


def _is_title(line: str) -> bool:
    return Report().line(line) if TITLE.match(line) else bool(TOGETHER.match(line))


def parse_output(output: Output) -> Parsed:
    """Read a run's "stdout" or an import. Raises ToolError or OutputError."""
    data = output.files.get("stdout", b"")
    stderr = output.files.get("stderr", b"")
    if not data.strip():
        raise _silent(stderr, output.exit_code)
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    sheet = is_sheet(data)
    runs = read_runs(text_of(data) if sheet else as_text(data))
    if data.startswith(BEGIN) and not runs[-1].ended:
        runs[-1].banner = True  # a sheet has an end that tells whether it is whole
    wanted = PLANNED.get(str(output.params.get("operation")))
    # benchlab's own: the file may be laid out by a run of its own, and the test is the last.
    parsed = _parsed(runs[-1:], frozenset(wanted[1])) if wanted else _parsed(runs)
    if sheet:
        parsed = dataclasses.replace(parsed, format="sheet")
    if output.exit_code:
        said = sentence("iozone ended with exit code %(code)d.", code=output.exit_code)
        return dataclasses.replace(
            parsed, completeness="partial", warnings=(*parsed.warnings, said)
        )
    return parsed


def read_runs(text: str) -> list[IozoneRun]:
    """The runs of a text. A last line without its end may hold half a figure: it is left out, and
    of a table in one line its last word."""
    lines = text.replace("\r", "\n").split("\n")
    last = lines.pop()
    if HEADING.search(last[:MAX_LINE]):
        lines.append(last.rpartition(" ")[0])
    runs = [IozoneRun()]
    for line in lines:
        line = line[:MAX_LINE].replace(">", " ").expandtabs()
        before, banner, after = line.partition(BANNER)
        runs[-1].line(before if banner else line)
        if banner:
            runs.append(IozoneRun(banner=True))
            # A page that made one line of all puts the command before the banner as well.
            runs[-1].line(after)
    return runs


def _parsed(runs: list[IozoneRun], wanted: frozenset[str] | None = None) -> Parsed:
    found = [
        (run, [each for each in run.measurements() if wanted is None or each.operation in wanted])
        for run in runs
    ]
    remarks = list(dict.fromkeys(said for run in runs for said in run.remarks()))
    kept = [run for run, measurements in found if measurements]
    if not kept:
        raise _nothing(runs, remarks)
    states = [run.completeness() for run in kept]
    # A run that began after the last one with figures and has none of its own was cut off, too.
    if kept[-1] is not runs[-1] and runs[-1].banner:
        states.append("partial")
    state: Completeness = "whole"
    if "partial" in states:
        state, remarks = "partial", [*remarks, CUT]
    elif "unknown" in states:
        state, remarks = "unknown", [*remarks, NO_END]
    return Parsed(
        tool="iozone",
        format="report"
        if all(run.report.cells and not run.table.cells for run in kept)
        else "text",
        version=next((run.version for run in runs if run.version), None),
        measurements=tuple(each for _, measurements in found for each in measurements),
        warnings=tuple(remarks),
        completeness=state,
    )


def _silent(stderr: bytes, exit_code: int | None) -> Exception:
    said = stderr[-4096:].decode("utf-8", "replace").strip()
    if said:
        return ToolError(
            sentence("iozone said: %(words)s", words=said.splitlines()[-1].strip()[:300])
        )
    if exit_code:
        return ToolError(
            sentence("iozone ended with exit code %(code)d and said nothing.", code=exit_code)
        )
    return OutputError("iozone left no output.")


def _nothing(runs: list[IozoneRun], remarks: list[str]) -> Exception:
    if any(run.table.flat_unclear for run in runs):
        return OutputError(NO_COLUMNS)
    failures = [said for run in runs for said in run.failures]
    if failures:
        return ToolError(f"iozone said: {' '.join(failures[:2])}")
    if remarks:
        return OutputError(" ".join(remarks))
    return OutputError("There is no result of iozone in this text.")

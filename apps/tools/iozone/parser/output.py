"""A text with iozone's output in it -> measurements.

A text may hold several runs, each from its banner on. iozone says "iozone test complete." at its
end; a run with a banner and without that was cut off. What people copy without a banner has no end
to look for.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text
from apps.tools.words import gettext_noop
from apps.tools.wrapping import joined

from .columns import HEADING, PLANNED
from .report import TITLE, Report
from .run import CUT, NO_END, IozoneRun, begins_header
from .sheet import BEGIN, is_sheet, text_of
from .table import NO_COLUMNS
from .throughput_report import TITLE as TOGETHER
from .wrapped import goes_on

BANNER = "Iozone: Performance Test of File I/O"
_CHILDREN = re.compile(r"Children see throughput for +\d")
_QUOTES = re.compile(r"^[ \t>]*>")
_LOOKS = 1024**2
MAX_LINE = 1024**2
MAX_RUNS = 10_000
LONGEST_JOINED = 4_000
STATES = (CUT, NO_END)
FAILED = gettext_noop("A call of iozone that begins at line %(line)d has no result.")


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
        said = message("iozone ended with exit code %(code)d.", code=output.exit_code)
        return dataclasses.replace(
            parsed, completeness="partial", warnings=(*parsed.warnings, said)
        )
    return parsed


def read_runs(text: str) -> list[IozoneRun]:
    """The runs of a text. A last line without its end may hold half a figure: it is left out, and
    of a table in one line its last word.
    """
    lines = text.replace("\r", "\n").split("\n")
    last = lines.pop()
    if HEADING.search(last[:MAX_LINE]):
        lines.append(last.rpartition(" ")[0])
    runs = [IozoneRun()]
    number = 1
    for line, count in joined(
        map(_plain, lines), lambda line, rest: _goes_on(runs[-1], line, rest)
    ):
        before, banner, after = line.partition(BANNER)
        _take(runs, before if banner else line, number, count)
        if banner:
            # A command stands before the banner of its own call.
            if runs[-1].banner or runs[-1].has_results or runs[-1].ended:
                _begin(runs)
            runs[-1].banner = True
            runs[-1].at(number)
            _take(runs, after, number, count)
        number += count
    return runs


def _plain(line: str) -> str:
    """The line without quote marks and tabs, its figures where they stood."""
    return _QUOTES.sub(lambda found: " " * len(found[0]), line[:MAX_LINE]).expandtabs()


def _goes_on(run: IozoneRun, line: str, rest: str) -> bool:
    room = len(line) + len(rest) < LONGEST_JOINED
    return room and goes_on(line, rest, run.table, run.context)


def _take(runs: list[IozoneRun], line: str, number: int, count: int) -> None:
    last = runs[-1]
    if last.is_over(line) and _begin(runs) and not (last.banner or begins_header(line)):
        # Tables below one command are those of calls with its options.
        runs[-1].context = last.context.again()
    runs[-1].line(line, number, count)


def _begin(runs: list[IozoneRun]) -> bool:
    """Whether another call may begin; a text holds so many at most."""
    if len(runs) >= MAX_RUNS:
        return False
    runs.append(IozoneRun())
    return True


def _parsed(runs: list[IozoneRun], wanted: frozenset[str] | None = None) -> Parsed:
    by_run = [(run, run.results(wanted)) for run in runs]
    with_results = [pair for pair in by_run if pair[1]]
    if not with_results:
        raise _nothing(runs)
    found = [
        dataclasses.replace(each, call=call)
        for call, (_, results) in enumerate(with_results, 1)
        for each in results
    ]
    reports = all(run.report.cells and not run.table.cells for run, _ in with_results)
    return Parsed(
        tool="iozone",
        format="report" if reports else "text",
        version=next((run.version for run, _ in with_results if run.version), None),
        measurements=tuple(found),
        warnings=tuple(_failed([run for run, results in by_run if not results])),
        completeness=_worst({each.completeness for each in found}),
    )


def _failed(runs: list[IozoneRun]) -> Iterator[str]:
    """Remarks on calls without a result."""
    for run in runs:
        if run.banner and run.lines:
            yield message(FAILED, line=run.lines[0])
        if run.banner or run.context.called:
            yield from run.failures


def _worst(states: set[Completeness | None]) -> Completeness:
    if "partial" in states:
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def _silent(stderr: bytes, exit_code: int | None) -> Exception:
    said = stderr[-4096:].decode("utf-8", "replace").strip()
    if said:
        return ToolError(
            message("iozone said: %(words)s", words=said.splitlines()[-1].strip()[:300])
        )
    if exit_code:
        return ToolError(
            message("iozone ended with exit code %(code)d and said nothing.", code=exit_code)
        )
    return OutputError("iozone left no output.")


def _nothing(runs: list[IozoneRun]) -> Exception:
    remarks = dict.fromkeys(said for run in runs for said in run.remarks() if said not in STATES)
    if any(run.table.flat_unclear for run in runs):
        return OutputError(NO_COLUMNS)
    failures = [said for run in runs for said in run.failures]
    if failures:
        return ToolError(f"iozone said: {' '.join(failures[:2])}")
    if remarks:
        return OutputError(" ".join(remarks))
    return OutputError("There is no result of iozone in this text.")

"""Parse a text with iozone's output.

A text may contain several runs, each starting with its banner. iozone prints "iozone test
complete." at its end; a run with a banner and without that line is truncated. Text without a banner
has no end mark.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text
from apps.tools.translation import gettext_noop
from apps.tools.wrapping import joined

from .columns import HEADING, PLANNED
from .recognition import BANNER
from .run import CUT, NO_END, IozoneRun, begins_header
from .sheet import BEGIN, is_sheet, text_of
from .table import NO_COLUMNS
from .wrapped import is_wrapped

_QUOTES = re.compile(r"^[ \t>]*>")
MAX_LINE = 1024**2
MAX_RUNS = 10_000
MAX_JOINED_LENGTH = 4_000
STATES = (CUT, NO_END)
FAILED = gettext_noop("A call of iozone that begins at line %(line)d has no result.")


def parse_output(output: Output) -> Parsed:
    """Parse a run's "stdout" or an import.

    Raises: ToolError or OutputError.
    """
    data = output.files.get("stdout", b"")
    stderr = output.files.get("stderr", b"")
    if not data.strip():
        raise _empty_output_error(stderr, output.exit_code)
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    sheet = is_sheet(data)
    runs = read_runs(text_of(data) if sheet else as_text(data))
    if data.startswith(BEGIN) and not runs[-1].ended:
        runs[-1].banner = True  # the end record of a sheet shows that it is complete
    planned = PLANNED.get(str(output.params.get("operation")))
    if planned:
        operations = frozenset(planned[1])
        parsed = _parsed([_test_run(runs, operations)], operations)
    else:
        parsed = _parsed(runs)
    if sheet:
        parsed = dataclasses.replace(parsed, format="sheet")
    if output.exit_code:
        warning = message("iozone ended with exit code %(code)d.", code=output.exit_code)
        return dataclasses.replace(
            parsed, completeness="partial", warnings=(*parsed.warnings, warning)
        )
    return parsed


def _test_run(runs: list[IozoneRun], operations: frozenset[str]) -> IozoneRun:
    """Return the run of benchlab's own output that is the test.

    A first run may create the file. A background load repeats the run until it is ended in one.
    """
    whole = (run for run in reversed(runs) if run.ended and run.results(operations))
    return runs[-1] if runs[-1].ended else next(whole, runs[-1])


def read_runs(text: str) -> list[IozoneRun]:
    """Return the runs of a text.

    An incomplete last line is ignored, because its value may be truncated; of a table in one line
    only the last word is ignored.
    """
    lines = text.replace("\r", "\n").split("\n")
    last = lines.pop()
    if HEADING.search(last[:MAX_LINE]):
        lines.append(last.rpartition(" ")[0])
    runs = [IozoneRun()]
    number = 1
    for line, count in joined(
        map(_plain, lines), lambda line, rest: _is_wrapped(runs[-1], line, rest)
    ):
        before, banner, after = line.partition(BANNER)
        _take(runs, before if banner else line, number, count)
        if banner:
            # A command line precedes the banner of its call.
            if runs[-1].banner or runs[-1].has_results or runs[-1].ended:
                _begin(runs)
            runs[-1].banner = True
            runs[-1].at(number)
            _take(runs, after, number, count)
        number += count
    return runs


def _plain(line: str) -> str:
    """Return the line without quote marks and tabs, with the values at the same columns."""
    return _QUOTES.sub(lambda match: " " * len(match[0]), line[:MAX_LINE]).expandtabs()


def _is_wrapped(run: IozoneRun, line: str, rest: str) -> bool:
    is_short = len(line) + len(rest) < MAX_JOINED_LENGTH
    return is_short and is_wrapped(line, rest, run.table, run.context)


def _take(runs: list[IozoneRun], line: str, number: int, count: int) -> None:
    last = runs[-1]
    if last.is_over(line) and _begin(runs) and not (last.banner or begins_header(line)):
        # Further tables below one command are of calls with its options.
        runs[-1].context = last.context.fresh_context()
    runs[-1].line(line, number, count)


def _begin(runs: list[IozoneRun]) -> bool:
    """Begin a run; return False if the text has reached the limit of runs."""
    if len(runs) >= MAX_RUNS:
        return False
    runs.append(IozoneRun())
    return True


def _parsed(runs: list[IozoneRun], operations: frozenset[str] | None = None) -> Parsed:
    by_run = [(run, run.results(operations)) for run in runs]
    with_results = [pair for pair in by_run if pair[1]]
    if not with_results:
        raise _no_result_error(runs)
    measurements = [
        dataclasses.replace(each, call=call)
        for call, (_, results) in enumerate(with_results, 1)
        for each in results
    ]
    reports = all(run.report.cells and not run.table.cells for run, _ in with_results)
    return Parsed(
        tool="iozone",
        format="report" if reports else "text",
        version=next((run.version for run, _ in with_results if run.version), None),
        measurements=tuple(measurements),
        warnings=tuple(_failed([run for run, results in by_run if not results])),
        completeness=_worst({each.completeness for each in measurements}),
    )


def _failed(runs: list[IozoneRun]) -> Iterator[str]:
    """Yield remarks on calls without a result."""
    for run in runs:
        if run.banner and run.lines:
            yield message(FAILED, line=run.lines[0])
        if run.banner or run.context.called:
            yield from run.failures


def _worst(states: set[Completeness | None]) -> Completeness:
    if "partial" in states:
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def _empty_output_error(stderr: bytes, exit_code: int | None) -> Exception:
    error = stderr[-4096:].decode("utf-8", "replace").strip()
    if error:
        return ToolError(
            message("iozone reported: %(words)s", words=error.splitlines()[-1].strip()[:300])
        )
    if exit_code:
        return ToolError(
            message("iozone ended with exit code %(code)d and no message.", code=exit_code)
        )
    return OutputError("iozone left no output.")


def _no_result_error(runs: list[IozoneRun]) -> Exception:
    remarks = dict.fromkeys(
        remark for run in runs for remark in run.remarks() if remark not in STATES
    )
    if any(run.table.flat_unclear for run in runs):
        return OutputError(NO_COLUMNS)
    failures = [text for run in runs for text in run.failures]
    if failures:
        return ToolError(f"iozone said: {' '.join(failures[:2])}")
    if remarks:
        return OutputError(" ".join(remarks))
    return OutputError("There is no result of iozone in this text.")

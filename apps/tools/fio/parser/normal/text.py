"""Parser of fio's normal text output, from 1.59 to 3.x, with other text around it.

Bandwidth and IOPS are exact if the text allows it: operations x block size / run time.
`values["printed"]` has fio's rounded figures. A file may have several calls; --status-interval
repeats the report of a call, and the last one is used.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio.parser.completeness import worst
from apps.tools.messages import message
from apps.tools.parse_result import Parsed
from apps.tools.text import as_text

from . import patterns as pattern
from .reader import Reader
from .results import CUT, NO_RESULT, Ending, measurements, verification
from .runs import TextRun, assign_clients
from .wrapped import unwrapped

MAX_LINE = 2000


def parse_text(data: bytes) -> Parsed:
    """Parse fio's normal output.

    Raises: ToolError if fio printed only errors, else OutputError.
    """
    text = as_text(data)
    reader = Reader()
    cut = _is_cut(text)
    for number, line in unwrapped(_lines(text, cut=cut)):
        reader.line(number, line)
    runs = reader.end()
    _assign_clients(runs)
    last = next((run for run in reversed(runs) if run.begun), None)
    result = [
        each for run in runs for each in measurements(run, Ending(is_last=run is last, cut=cut))
    ]
    if not result:
        raise _nothing(reader, runs)
    return Parsed(
        tool="fio",
        format="text",
        version=next((run.version for run in runs if run.version and run.begun), None),
        measurements=tuple(result),
        warnings=tuple(_remarks(runs, {(each.call, each.group) for each in result}, cut=cut)),
        completeness=worst(result),
    )


def _is_cut(text: str) -> bool:
    """Return True if the last line may be truncated."""
    last = text.rsplit("\n", 1)[-1]
    whole = pattern.END.search(last) or pattern.NEW_DIRECTION.search(last)
    return bool(last.strip()) and not whole and not pattern.REMARK.match(last)


def _lines(text: str, *, cut: bool) -> list[str]:
    lines = text.split("\n")
    # A truncated figure is wrong. Text after a carriage return, such as progress, overwrote the
    # line.
    return [
        line[:MAX_LINE].rstrip("\r").rsplit("\r", 1)[-1].replace("\t", " ")
        for line in (lines[:-1] if cut else lines)
    ]


def _assign_clients(runs: Sequence[TextRun]) -> None:
    """Assign the announcements in the first report to clients without a sum."""
    for call in {run.call for run in runs if run.without_sum}:
        reports = [run for run in runs if run.call == call]
        if not any(run.assigned for run in reports):
            assign_clients(reports)


def _remarks(
    runs: Sequence[TextRun], measured: set[tuple[int, int | None]], *, cut: bool
) -> list[str]:
    """Return remarks about the whole text, and about calls and groups without a result."""
    result: list[str] = []
    calls = {call for call, _group in measured}
    for run in runs:
        if run.call not in calls:
            result += _without_result(run)
        else:
            failed = [b for b in run.blocks if (run.call, b.group) not in measured]
            result += [text for block in failed for text in block.failures]
        result += run.late_remarks
    unfinished = runs[-1].call not in calls and (cut or bool(runs[-1].announcements))
    return list(dict.fromkeys([*result, *([CUT] if unfinished and not result else [])]))


def _without_result(run: TextRun) -> list[str]:
    failures = [text for block in run.blocks for text in block.failures]
    problems = [*verification(run.unverified), *failures, *run.remarks]
    begin = message("The call of fio that begins in line %(line)d has no result.", line=run.first)
    return [begin, *problems]


def _nothing(reader: Reader, runs: Sequence[TextRun]) -> Exception:
    unverified = [text for run in runs for text in run.unverified]
    failures = [text for run in runs for block in run.blocks for text in block.failures]
    remarks = [text for run in runs for text in (*run.remarks, *run.late_remarks)]
    problems = [*verification(unverified), *failures, *remarks][:3]
    if problems:
        return ToolError(f"{NO_RESULT} {' '.join(problems)}")
    if reader.described:
        return OutputError(f"{NO_RESULT} It is cut off behind the jobs' descriptions.")
    return OutputError("There is no result of fio in this text.")

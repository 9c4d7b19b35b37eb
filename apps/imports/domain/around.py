"""Commands and headings around an output in the submitted text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from apps.imports.domain.proposals import Heading, headings_of, tuning_at
from apps.imports.schemas.points import MonitoredTest
from apps.tools.cleaning import cleaned_text
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.split_output.splitter import Ranges
from apps.tools.text import is_text
from apps.tools.workloads.job_options import JobOptions, commands_in

MAX_TEXT = 1024**2
Span = tuple[int, int]


@dataclass(frozen=True)
class SentText:
    """Text as submitted by a user.

    `ranges`: lines that the result was parsed from; empty means all. `beside`: the text's tests to
    which a recording may belong.
    """

    data: bytes
    ranges: Ranges = ()
    beside: tuple[MonitoredTest, ...] = ()

    def text(self) -> str:
        """Return the cleaned text; "" if it is larger than 1 MiB, binary or one JSON document."""
        is_json = self.data.lstrip()[:1] == b"{"
        if len(self.data) > MAX_TEXT or is_json or not is_text(self.data):
            return ""
        return cleaned_text(self.data).decode("utf-8", "replace")

    def span(self, lines: Span) -> Span:
        """Convert line numbers of the result to line numbers of the text."""
        return self._line(lines[0]), self._line(lines[1])

    def documents(self, text: str) -> list[Span]:
        """Return the lines of each JSON document within `ranges`."""
        ranges = self.ranges or ((1, text.count("\n") + 1),)
        spans: list[Span] = []
        start = 0
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("{") and not start:
                start = number
            if line.startswith("}") and start:
                spans.append((start, number))
                start = 0
        return [each for each in spans if any(a <= each[0] <= b for a, b in ranges)]

    def _line(self, number: int) -> int:
        for first, last in self.ranges:
            if number <= last - first + 1:
                return first + number - 1
            number -= last - first + 1
        return number if not self.ranges else self.ranges[-1][1]


@dataclass(frozen=True)
class Around:
    """Surroundings of the output of one call.

    `lines`: the output's lines in the text. `tuning`: suggested by a heading. `tests`: of the
    command above. `beside`: the test above to which a recording belongs.
    """

    lines: Span | None = None
    tuning: str = ""
    tests: tuple[JobOptions, ...] = ()
    beside: MonitoredTest | None = None


def around_calls(sent: SentText, parsed: Parsed, *, commands: bool = True) -> Mapping[int, Around]:
    """Return the surroundings of each call's output, by call number.

    `commands`: include the tests of commands in the text.
    """
    spans = {call: _span(sent, measurements) for call, measurements in _calls(parsed).items()}
    text = sent.text()
    if not any(spans.values()):
        documents = sent.documents(text)
        if len(documents) == len(spans):
            spans = dict(zip(sorted(spans), documents, strict=True))
    headings = headings_of(text)
    tests = commands_in(parsed.tool, text) if commands and text else ()
    if len(spans) == 1 and spans.get(1, (0, 0)) is None:
        end = text.count("\n") + 1
        only = tests if len({one.line for one in tests}) == 1 else ()
        return {1: _around(None, (end, end), 0, headings, only)}
    surroundings: dict[int, Around] = {}
    before = 0
    for call, span in sorted(spans.items(), key=lambda pair: pair[1] or (0, 0)):
        if span is not None:
            around = _around(span, span, before, headings, tests)
            surroundings[call] = replace(around, beside=_test_above(sent.beside, span[0]))
            before = max(before, span[1])
    return surroundings


def _around(
    lines: Span | None,
    span: Span,
    before: int,
    headings: Sequence[Heading],
    commands: Sequence[JobOptions],
) -> Around:
    first, last = span
    # A result's lines may begin with its command, after commands without output.
    above = [command for command in commands if before < command.line <= last]
    nearest = max((command.line for command in above), default=0)
    tests = tuple(command for command in above if command.line == nearest)
    return Around(lines, tuning_at(headings, first), tests)


def _test_above(tests: Sequence[MonitoredTest], line: int) -> MonitoredTest | None:
    return next((test for test in reversed(tests) if test.line < line), None)


def _calls(parsed: Parsed) -> dict[int, list[Measurement]]:
    calls: dict[int, list[Measurement]] = {}
    for measurement in parsed.measurements:
        calls.setdefault(measurement.call, []).append(measurement)
    return calls


def _span(sent: SentText, measurements: Sequence[Measurement]) -> Span | None:
    spans = [sent.span(each.lines) for each in measurements if each.lines]
    return (min(a for a, _b in spans), max(b for _a, b in spans)) if spans else None

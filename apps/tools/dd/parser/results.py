"""A whole text -> dd's results, each with its records, its command and its progress lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from .invocation import Direction, Invocation, find_invocation, find_label, shared
from .report_lines import ERROR, DdFigures, decode, figures, records

MAX_RESULTS = 10_000
MAX_POINTS = 100_000
MAX_REMARKS = 20


@dataclass(frozen=True)
class Result:
    """The report of one run of dd. `progress`: its cumulative lines of status=progress; `label`:
    what somebody wrote before the line."""

    figures: DdFigures
    invocation: Invocation
    records: tuple[tuple[int, int], ...] = ()
    progress: tuple[DdFigures, ...] = ()
    ended: bool = True
    label: Direction | None = None

    @property
    def direction(self) -> Direction:
        """The direction of the rate."""
        return self.label or self.invocation.direction


@dataclass
class DdLines:
    """The state between two lines."""

    results: list[Result] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    cut: bool = False
    _commands: list[Invocation] = field(default_factory=list)
    _settled: int = 0
    _failed: bool = False
    _records: list[tuple[int, int]] = field(default_factory=list)
    _progress: list[DdFigures] = field(default_factory=list)

    def read(self, data: bytes) -> None:
        """Every line in order. What dd writes with a carriage return before it is progress."""
        for raw in _lines(data):
            first, *overwritten = raw.split(b"\r")
            self._line(decode(first))
            for piece in overwritten:
                self._progress_line(decode(piece))
        self._leave()
        self._settle()

    def _line(self, line: str) -> None:
        found = figures(line)
        self._records += records(line)
        invocation = find_invocation(line)
        if invocation is not None:
            self._begin(invocation, keep=found is not None)
        elif error := ERROR.search(line):
            self._error(error["text"])
        if found is not None and len(self.results) < MAX_RESULTS:
            result = self._result(found)
            self.results.append(replace(result, label=find_label(line)))

    def _begin(self, invocation: Invocation, keep: bool) -> None:
        """A command: what was seen before it belongs to another one that did not end."""
        self._leave()
        if len(self.results) > self._settled or self._failed:
            self._settle()
        self._commands.append(invocation)
        if not keep:
            self._records.clear()

    def _settle(self) -> None:
        """The results since the last commands are theirs."""
        since = self.results[self._settled :]
        found = shared(self._commands, [each.label for each in since])
        self.results[self._settled :] = [
            replace(each, invocation=command) for each, command in zip(since, found, strict=True)
        ]
        self._commands, self._settled, self._failed = [], len(self.results), False

    def _progress_line(self, line: str) -> None:
        found = figures(line)
        if found is not None and len(self._progress) < MAX_POINTS:
            self._progress.append(found)

    def _error(self, text: str) -> None:
        kept = self.remarks if text.lower().startswith("warning") else self.errors
        self._failed = self._failed or kept is self.errors
        if len(kept) < MAX_REMARKS:
            kept.append(text.strip()[:300])

    def _result(self, found: DdFigures, ended: bool = True) -> Result:
        result = Result(
            found, Invocation(), tuple(self._records[-2:]), tuple(self._progress), ended
        )
        self._records, self._progress = [], []
        return result

    def _leave(self) -> None:
        """Progress or records without a result: that run of dd was still going on, or its output is
        cut off."""
        self.cut = self.cut or bool(self._progress or self._records)
        if self._progress and len(self.results) < MAX_RESULTS:
            self.results.append(self._result(self._progress.pop(), ended=False))
        self._records = []


def _lines(data: bytes) -> Iterator[bytes]:
    """The lines, a long command that was continued with a backslash as one."""
    held = b""
    for line in data.replace(b"\r\n", b"\n").split(b"\n"):
        if line.endswith(b"\\") and len(held) < 4_000:
            held += line[:-1] + b" "
            continue
        yield held + line
        held = b""
    if held:
        yield held

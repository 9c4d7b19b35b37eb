"""A text -> its tests: one for each client that connected or was started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import text_rows as pattern
from .text_rows import IntervalRow

MAX_LINE = 1_000
MAX_TESTS = 10_000
MAX_ROWS = 1_000_000
MAX_REMARKS = 20


@dataclass
class Connection:
    """One stream's ends, and whether iperf 2 says that its data runs against the connection."""

    local: int
    remote: int
    reverse: bool = False


@dataclass
class Test:
    """The output of iperf between two starts. `summary`: rows of iperf3's closing table; `reports`:
    the server's rows that an iperf 2 client repeats; `numbers`: what CSV calls the connections.
    """

    generation: int | None = None
    protocol: str = "TCP"
    port: int | None = None
    server: bool | None = None
    reverse: bool = False
    done: bool = False
    ruled: bool = False
    connections: dict[str, Connection] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    rows: list[IntervalRow] = field(default_factory=list)
    summary: list[IntervalRow] = field(default_factory=list)
    reports: list[IntervalRow] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing was measured yet."""
        return not (self.rows or self.summary or self.reports)


@dataclass
class IperfLines:
    """The state between two lines."""

    tests: list[Test] = field(default_factory=lambda: [Test()])
    errors: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    version: str | None = None
    listening: bool = False
    _heading: str = ""
    _dashes: bool = False
    _closing: bool = False
    _report: str | None = None
    _count: int = 0

    def read(self, text: str) -> None:
        """Every line; a last one without its end counts as far as it cannot be cut short."""
        *whole, last = text.split("\n")
        for line in whole:
            self._line(line[:MAX_LINE], True)
        if pattern.HEADING.search(last) or last.strip():
            self._line(last[:MAX_LINE], False)

    def _line(self, line: str, whole: bool) -> None:
        if "sec" in line and (row := pattern.row(line, self._heading, whole)):
            self._row(row)
        elif pattern.DASHES.search(line):
            self._dashes = True
            return
        elif pattern.HEADING.search(line):
            self._heading, self._closing = line, self._closing or self._dashes
        elif whole or pattern.DONE.search(line):
            self._other(line)
        self._dashes = False

    def _row(self, row: IntervalRow) -> None:
        test = self.tests[-1]
        self._count += 1
        if self._count > MAX_ROWS:
            return
        if self._report is not None and row.id == self._report:
            test.reports.append(row)
        elif self._closing or row.ends:
            test.summary.append(row)
        else:
            test.rows.append(row)
        self._report = None
        if row.jitter is not None:
            test.protocol = "UDP"

    def _other(self, line: str) -> None:
        if found := pattern.CONNECTED.search(line):
            self._connected(found)
        elif found := pattern.REPORT.search(line):
            self._report = found["id"]
        elif starts := self._start(line):
            starts.ruled = False
        elif pattern.RULE.search(line):
            self.tests[-1].ruled = not self.tests[-1].empty
        else:
            self._remark(line)

    def _start(self, line: str) -> Test | None:
        """A line that begins a test, or says more about one that has just begun."""
        iperf2 = pattern.CLIENT.search(line) or pattern.SERVER.search(line)
        client = bool(pattern.CLIENT.search(line) or pattern.CLIENT3.search(line))
        if not (iperf2 or client or pattern.SERVER3.search(line)):
            if pattern.REVERSE.search(line):
                self.tests[-1].reverse = True
                return self.tests[-1]
            return None
        self.listening = self.listening or not client
        test = self._fresh()
        test.server = not client if test.server is None or client else test.server
        test.generation = 2 if iperf2 else 3
        if iperf2:
            test.protocol, test.port = iperf2["protocol"], int(iperf2["port"])
        return test

    def _fresh(self) -> Test:
        """The test that is beginning: a new one if the last one has figures."""
        last = self.tests[-1]
        if last.empty or len(self.tests) >= MAX_TESTS:
            return last
        self._closing, self._report = False, None
        self.tests.append(Test())
        return self.tests[-1]

    def _connected(self, found: re.Match[str]) -> None:
        last = self.tests[-1]
        test = self._fresh()
        if test is not last:
            # The same server goes on.
            test.generation, test.server = last.generation, last.server
            test.protocol, test.port = last.protocol, last.port
        test.generation = test.generation or (2 if found["word"] == "with" else 3)
        if peer := pattern.PEER.search(found["rest"]):
            self.version = self.version or peer["version"]
        reverse = "*" in found["id"] or "(reverse)" in found["rest"]
        ends = Connection(int(found["lport"]), int(found["rport"]), reverse)
        test.connections[found["id"].lstrip("*")] = ends

    def _remark(self, line: str) -> None:
        if pattern.DONE.search(line):
            self.tests[-1].done = True
        elif found := pattern.VERSION.search(line):
            self.version = self.version or found["version"]
        for kept, mark in ((self.errors, pattern.ERROR), (self.remarks, pattern.REMARK)):
            if mark.search(line) and len(kept) < MAX_REMARKS:
                kept.append(line.strip()[:300])

    @property
    def measured(self) -> Iterator[Test]:
        """The tests that have figures."""
        return (test for test in self.tests if not test.empty)

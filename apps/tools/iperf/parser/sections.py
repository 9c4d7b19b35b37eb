"""Split a text into tests: one for each client that connected or started."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import marks
from .calls import Connection, Test
from .headers import read_header
from .invocation import Invocation, find_invocations
from .text_rows import IntervalRow, row
from .wrapped import Line, lines_of

MAX_TESTS = 10_000
MAX_ROWS = 1_000_000
MAX_REMARKS = 20


@dataclass
class IperfLines:
    """State of the line parser.

    - `errors`, `remarks`: those outside any test.
    - `failed`: lines of calls without a test.
    - `_peers`: hosts that connected to the server of this output.
    """

    tests: list[Test] = field(default_factory=lambda: [Test()])
    commands: list[Invocation] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    version: str | None = None
    listening: bool = False
    _peers: set[str] = field(default_factory=set)
    _owners: dict[str, Test] = field(default_factory=dict)
    _number: int = 0
    _heading: str = ""
    _dashes: bool = False
    _closing: bool = False
    _is_repeated: bool = False
    _other_end: bool = False
    _report: str | None = None
    _count: int = 0

    def read(self, text: str) -> None:
        """Parse every line; of an incomplete last line only complete values."""
        for line in lines_of(text):
            if not line.text.strip():
                self._dashes = False
                continue
            self._number = line.number
            if not (self._other_end and self._of_other_end(line.text)):
                self._line(line)
        for test in self.tests:
            test.move_closing_rows()
        self._move_errors()

    def _move_errors(self) -> None:
        """Move the error of a disconnected client to its test.

        In a file it may come earlier, because errors are unbuffered and tables buffered.
        """
        waiting: list[Test] = []
        for test in self.tests:
            gone = [text for text in test.errors if marks.TERMINATED in text]
            if gone and not test.lost_its_client:
                waiting.append(test)
            elif test.lost_its_client and not gone:
                before = waiting.pop() if waiting else None
                moved: list[str] = [marks.GONE]
                if before:
                    moved = [text for text in before.errors if marks.TERMINATED in text]
                    before.errors = [text for text in before.errors if text not in moved]
                test.errors += moved

    def _of_other_end(self, line: str) -> bool:
        """Return True if a line belongs to the server's output, which iperf3 appends."""
        ends = (marks.DONE, marks.CLIENT, marks.CLIENT3, marks.OF_CLIENT)
        self._other_end = not (any(mark.search(line) for mark in ends) or find_invocations(line))
        return self._other_end

    def _line(self, line: Line) -> None:
        text = line.text
        if "sec" in text and (interval := row(text, self._heading, line.whole)):
            self._row(interval)
        elif marks.DASHES.search(text):
            self._dashes = True
            return
        elif marks.HEADING.search(text):
            self._parse_heading(text)
        elif line.whole or marks.DONE.search(text):
            self._other(text)
        self._dashes = False

    def _parse_heading(self, line: str) -> None:
        """Parse a heading; after a closing table it belongs to another test."""
        self._is_repeated = bool(self.tests[-1].summary or self.tests[-1].closed)
        self._heading = line
        self._closing = (self._closing and not self._is_repeated) or self._dashes

    def _row(self, interval: IntervalRow) -> None:
        self._count += 1
        if self._count > MAX_ROWS:
            return
        test = self._test_of(interval)
        if self._report is not None and interval.id.lstrip("*") == self._report:
            test.reports.append(interval)
            test.protocol = "UDP"
            self._report = None
            test.seen(self._number)
            return
        self._report = None
        closing = self._closing or interval.ends is not None
        if not self._is_repeated and test.repeats(interval, closing=closing):
            test.twice = test.twice or not closing
            return
        if (self._is_repeated and not test.empty) or test.begins_another(interval, closing=closing):
            test = self._begin(test)
        self._is_repeated = False
        test.add(interval, closing=closing)
        test.seen(self._number)

    def _test_of(self, interval: IntervalRow) -> Test:
        """Return the test with the row's connection, else the last one.

        Clients of one server may connect while others are still measured.
        """
        owner = None if interval.total else self._owners.get(interval.id.lstrip("*"))
        return owner or self.tests[-1]

    def _begin(self, last: Test) -> Test:
        """Begin a test after one with rows; that of a server continues with the same server."""
        if len(self.tests) >= MAX_TESTS:
            return self.tests[-1]
        test = last.next_test() if last.headed and last.generation == 2 and last.server else Test()
        self._owners.clear()
        self.tests.append(test)
        return test

    def _new_test(self, *, called: bool = False) -> Test:
        """Return the test that begins: a new one if the last one has begun.

        `called`: a command began it, so it is not the waiting server's test.
        """
        last = self.tests[-1]
        begun = last.headed or not last.empty or (called and last.server is not None)
        if not begun or len(self.tests) >= MAX_TESTS:
            return last
        self._closing, self._is_repeated, self._report = False, False, None
        self._owners.clear()
        self.tests.append(Test())
        return self.tests[-1]

    def _other(self, line: str) -> None:
        test = self.tests[-1]
        if match := marks.CONNECTED.search(line):
            self._connected(match)
        elif match := marks.REPORT.search(line):
            self._report = match["id"]
        elif match := marks.SENT.search(line):
            test.close(match["id"])
        elif marks.SERVER_OUTPUT.search(line):
            self._other_end = not test.empty
        elif self._start(line):
            self.tests[-1].seen(self._number)
            self.tests[-1].ruled = False
        elif marks.RULE.search(line):
            test.ruled = not test.empty
        else:
            read_header(line, test)
            self._remark(line)

    def _start(self, line: str) -> bool:
        """Parse a line that begins a test or continues its start; return False for any other."""
        if match := marks.CLIENT.search(line):
            self._client2(match)
        elif match := marks.SERVER.search(line):
            self._server2(match)
        elif match := marks.CLIENT3.search(line):
            test = self._new_test()
            test.generation, test.server, test.headed = 3, False, True
            test.host, test.port = match["host"], int(match["port"])
        elif match := marks.SERVER3.search(line) or marks.ACCEPTED.search(line):
            self._server3(match)
        elif marks.REVERSE.search(line):
            self.tests[-1].reverse = True
        else:
            return self._command(line)
        return True

    def _command(self, line: str) -> bool:
        """Parse a command line; the following lines are its output."""
        commands = find_invocations(line, self._number)
        if commands:
            self.commands += commands
            self._new_test(called=True)
            self._heading, self._dashes = "", False
            self._peers.clear()
        return False

    def _client2(self, match: re.Match[str]) -> None:
        """Begin the test of an iperf 2 client, or of a server that connects back (-d, -r)."""
        last = self.tests[-1]
        back = bool(last.server and match["host"] in self._peers)
        test = last if back and last.empty else self._new_test()
        if not back:
            self._peers.clear()
            test.host = match["host"]
        test.generation, test.server, test.headed = 2, back, True
        test.protocol, test.port = match["protocol"], int(match["port"])

    def _server2(self, match: re.Match[str]) -> None:
        self.listening = True
        last = self.tests[-1]
        waits = last.empty and last.server is False and not last.errors
        if waits and last.protocol == match["protocol"]:
            # A client to which the server connects back (-d, -r).
            last.listens = int(match["port"])
            return
        test = self._new_test()
        self._peers.clear()
        test.generation, test.server = 2, True
        test.protocol, test.listens = match["protocol"], int(match["port"])

    def _server3(self, match: re.Match[str]) -> None:
        self.listening = True
        test = self._new_test()
        test.generation, test.server = 3, True
        if "host" in match.groupdict():
            test.client, test.headed = match["host"], True
        else:
            test.listens = int(match["port"])

    def _connected(self, match: re.Match[str]) -> None:
        test = self.tests[-1]
        if not test.empty and len(self.tests) < MAX_TESTS:
            self._closing, self._is_repeated, self._report = False, False, None
            self.tests.append(test.next_test() if test.generation == 2 else Test())
            test = self.tests[-1]
        test.headed = True
        test.generation = test.generation or (2 if match["word"] == "with" else 3)
        if peer := marks.PEER.search(match["rest"]):
            self.version = self.version or peer["version"]
        ends = Connection(
            local=int(match["lport"]),
            remote=int(match["rport"]),
            reverse="*" in match["id"] or "(reverse)" in match["rest"],
            both="(full-duplex)" in match["rest"],
            local_host=match["local"].partition("%")[0],
            remote_host=match["remote"],
        )
        name = match["id"].lstrip("*")
        test.connections[name] = ends
        self._owners[name] = test
        if ends.local == test.listens:
            self._peers.add(ends.remote_host)
        test.seen(self._number)

    def _remark(self, line: str) -> None:
        test = self.tests[-1]
        if marks.DONE.search(line):
            test.done = True
            test.seen(self._number)
        elif match := marks.VERSION.search(line):
            self.version = self.version or match["version"]
        if marks.ERROR.search(line):
            self._error(line.strip()[:300])
        if marks.REMARK.search(line):
            messages = test.remarks if test.headed or not test.empty else self.remarks
            if len(messages) < MAX_REMARKS:
                messages.append(line.strip()[:300])

    def _error(self, text: str) -> None:
        """Add an error to the test around it. A call without a test does not affect others."""
        test = self.tests[-1]
        ended = test.done or (test.ruled and marks.TERMINATED not in text)
        if marks.NO_SERVER.search(text):
            messages = self.errors
        elif marks.NO_CALL.search(text) and (ended or not test.headed or not test.empty):
            messages = self.errors
            self.failed.append(self._number)
        elif ended:
            messages = self._new_test().errors
        else:
            messages = test.errors
        if len(messages) < MAX_REMARKS:
            messages.append(text)

    @property
    def measured(self) -> Iterator[Test]:
        """Return the tests with values."""
        return (test for test in self.tests if not test.empty)

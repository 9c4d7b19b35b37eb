"""A text -> its tests: one for each client that connected or was started."""

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
    """The state between two lines. `errors`, `remarks`: those that belong to no test; `failed`: the
    lines of calls that came to no test; `peers`: hosts that connected to the server whose output
    this is.
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
    _again: bool = False
    _other_end: bool = False
    _report: str | None = None
    _count: int = 0

    def read(self, text: str) -> None:
        """Every line; a last one without its end counts as far as it cannot be cut short."""
        for line in lines_of(text):
            if not line.text.strip():
                self._dashes = False
                continue
            self._number = line.number
            if not (self._other_end and self._of_other_end(line.text)):
                self._line(line)
        for test in self.tests:
            test.settle()
        self._give_errors()

    def _give_errors(self) -> None:
        """Give the error of a client that went away to its test. In a file it may stand earlier,
        as errors are written at once and tables later.
        """
        waiting: list[Test] = []
        for test in self.tests:
            gone = [words for words in test.errors if marks.TERMINATED in words]
            if gone and not test.lost_its_client:
                waiting.append(test)
            elif test.lost_its_client and not gone:
                before = waiting.pop() if waiting else None
                moved: list[str] = [marks.GONE]
                if before:
                    moved = [words for words in before.errors if marks.TERMINATED in words]
                    before.errors = [words for words in before.errors if words not in moved]
                test.errors += moved

    def _of_other_end(self, line: str) -> bool:
        """Whether a line belongs to the server's output of the same test, which iperf3 appends."""
        ends = (marks.DONE, marks.CLIENT, marks.CLIENT3, marks.OF_CLIENT)
        self._other_end = not (any(mark.search(line) for mark in ends) or find_invocations(line))
        return self._other_end

    def _line(self, line: Line) -> None:
        text = line.text
        if "sec" in text and (found := row(text, self._heading, line.whole)):
            self._row(found)
        elif marks.DASHES.search(text):
            self._dashes = True
            return
        elif marks.HEADING.search(text):
            self._headed(text)
        elif line.whole or marks.DONE.search(text):
            self._other(text)
        self._dashes = False

    def _headed(self, line: str) -> None:
        """A heading behind a closing table is that of another test."""
        self._again = bool(self.tests[-1].summary or self.tests[-1].closed)
        self._heading = line
        self._closing = (self._closing and not self._again) or self._dashes

    def _row(self, found: IntervalRow) -> None:
        self._count += 1
        if self._count > MAX_ROWS:
            return
        test = self._test_of(found)
        if self._report is not None and found.id.lstrip("*") == self._report:
            test.reports.append(found)
            test.protocol = "UDP"
            self._report = None
            test.seen(self._number)
            return
        self._report = None
        closing = self._closing or found.ends is not None
        if not self._again and test.repeats(found, closing=closing):
            test.twice = test.twice or not closing
            return
        if (self._again and not test.empty) or test.begins_another(found, closing=closing):
            test = self._begin(test)
        self._again = False
        test.add(found, closing=closing)
        test.seen(self._number)

    def _test_of(self, found: IntervalRow) -> Test:
        """The test whose connection the row names, else the last one: clients of one server may
        come while others are still measured.
        """
        owner = None if found.total else self._owners.get(found.id.lstrip("*"))
        return owner or self.tests[-1]

    def _begin(self, last: Test) -> Test:
        """A new test behind one that has rows; that of a server goes on with the same server."""
        if len(self.tests) >= MAX_TESTS:
            return self.tests[-1]
        test = last.goes_on() if last.headed and last.generation == 2 and last.server else Test()
        self._owners.clear()
        self.tests.append(test)
        return test

    def _fresh(self, *, called: bool = False) -> Test:
        """The test that is beginning: a new one if the last one has begun. `called`: by a command,
        to which a server that waits does not belong.
        """
        last = self.tests[-1]
        begun = last.headed or not last.empty or (called and last.server is not None)
        if not begun or len(self.tests) >= MAX_TESTS:
            return last
        self._closing, self._again, self._report = False, False, None
        self._owners.clear()
        self.tests.append(Test())
        return self.tests[-1]

    def _other(self, line: str) -> None:
        test = self.tests[-1]
        if found := marks.CONNECTED.search(line):
            self._connected(found)
        elif found := marks.REPORT.search(line):
            self._report = found["id"]
        elif found := marks.SENT.search(line):
            test.close(found["id"])
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
        """Whether a line begins a test, or says more about one that has just begun."""
        if found := marks.CLIENT.search(line):
            self._client2(found)
        elif found := marks.SERVER.search(line):
            self._server2(found)
        elif found := marks.CLIENT3.search(line):
            test = self._fresh()
            test.generation, test.server, test.headed = 3, False, True
            test.host, test.port = found["host"], int(found["port"])
        elif found := marks.SERVER3.search(line) or marks.ACCEPTED.search(line):
            self._server3(found)
        elif marks.REVERSE.search(line):
            self.tests[-1].reverse = True
        else:
            return self._command(line)
        return True

    def _command(self, line: str) -> bool:
        """Whether a line calls iperf: what follows is printed by that call."""
        commands = find_invocations(line, self._number)
        if commands:
            self.commands += commands
            self._fresh(called=True)
            self._heading, self._dashes = "", False
            self._peers.clear()
        return False

    def _client2(self, found: re.Match[str]) -> None:
        """A client of iperf 2 is being called, or a server connects back to its client (-d, -r)."""
        last = self.tests[-1]
        back = bool(last.server and found["host"] in self._peers)
        test = last if back and last.empty else self._fresh()
        if not back:
            self._peers.clear()
            test.host = found["host"]
        test.generation, test.server, test.headed = 2, back, True
        test.protocol, test.port = found["protocol"], int(found["port"])

    def _server2(self, found: re.Match[str]) -> None:
        self.listening = True
        last = self.tests[-1]
        waits = last.empty and last.server is False and not last.errors
        if waits and last.protocol == found["protocol"]:
            # A client that the server is to connect to (-d, -r).
            last.listens = int(found["port"])
            return
        test = self._fresh()
        self._peers.clear()
        test.generation, test.server = 2, True
        test.protocol, test.listens = found["protocol"], int(found["port"])

    def _server3(self, found: re.Match[str]) -> None:
        self.listening = True
        test = self._fresh()
        test.generation, test.server = 3, True
        if "host" in found.groupdict():
            test.client, test.headed = found["host"], True
        else:
            test.listens = int(found["port"])

    def _connected(self, found: re.Match[str]) -> None:
        test = self.tests[-1]
        if not test.empty and len(self.tests) < MAX_TESTS:
            self._closing, self._again, self._report = False, False, None
            self.tests.append(test.goes_on() if test.generation == 2 else Test())
            test = self.tests[-1]
        test.headed = True
        test.generation = test.generation or (2 if found["word"] == "with" else 3)
        if peer := marks.PEER.search(found["rest"]):
            self.version = self.version or peer["version"]
        ends = Connection(
            local=int(found["lport"]),
            remote=int(found["rport"]),
            reverse="*" in found["id"] or "(reverse)" in found["rest"],
            both="(full-duplex)" in found["rest"],
            local_host=found["local"].partition("%")[0],
            remote_host=found["remote"],
        )
        name = found["id"].lstrip("*")
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
        elif found := marks.VERSION.search(line):
            self.version = self.version or found["version"]
        if marks.ERROR.search(line):
            self._error(line.strip()[:300])
        if marks.REMARK.search(line):
            kept = test.remarks if test.headed or not test.empty else self.remarks
            if len(kept) < MAX_REMARKS:
                kept.append(line.strip()[:300])

    def _error(self, words: str) -> None:
        """An error belongs to the test in which it stands. A call that did not come to a test
        spoils none.
        """
        test = self.tests[-1]
        ended = test.done or (test.ruled and marks.TERMINATED not in words)
        if marks.NO_SERVER.search(words):
            kept = self.errors
        elif marks.NO_CALL.search(words) and (ended or not test.headed or not test.empty):
            kept = self.errors
            self.failed.append(self._number)
        elif ended:
            kept = self._fresh().errors
        else:
            kept = test.errors
        if len(kept) < MAX_REMARKS:
            kept.append(words)

    @property
    def measured(self) -> Iterator[Test]:
        """The tests that have figures."""
        return (test for test in self.tests if not test.empty)

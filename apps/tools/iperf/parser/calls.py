"""Rows, connections and parameters of one test in a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.tools.values import Parameters

from .text_rows import IntervalRow

SLACK = 0.02
# The default interval of both programs is one second.
_INTERVAL = 1.5
Key = tuple[str, str | None, str | None]


@dataclass
class Connection:
    """Ends of one stream.

    - `reverse`: the data runs against the direction of the connection (iperf 2).
    - `both`: the data runs in both directions.
    """

    local: int
    remote: int
    reverse: bool = False
    both: bool = False
    local_host: str = ""
    remote_host: str = ""


@dataclass
class Test:
    """Parsed lines of one test.

    - `headed`: a line began it.
    - `port`: the port its client connects to; `listens`: the port this end listens on.
    - `summary`: rows of iperf3's closing table.
    - `reports`: the server's rows that an iperf 2 client repeats.
    - `numbers`: ids of the connections in CSV.
    - `stated`: parameters in lines around the rows.
    - `twice`: the last interval was printed twice.
    - `first`, `last`: line numbers.
    - `began`: seconds since 1970.
    """

    generation: int | None = None
    protocol: str = "TCP"
    port: int | None = None
    listens: int | None = None
    host: str = ""
    client: str = ""
    server: bool | None = None
    headed: bool = False
    reverse: bool = False
    done: bool = False
    ruled: bool = False
    twice: bool = False
    first: int = 0
    last: int = 0
    began: float | None = None
    connections: dict[str, Connection] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    rows: list[IntervalRow] = field(default_factory=list)
    summary: list[IntervalRow] = field(default_factory=list)
    reports: list[IntervalRow] = field(default_factory=list)
    stated: Parameters = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    _latest: dict[Key, IntervalRow] = field(default_factory=dict)
    _totals: set[Key] = field(default_factory=set)

    @property
    def empty(self) -> bool:
        """Return True if no row was parsed."""
        return not (self.rows or self.summary or self.reports)

    @property
    def shape(self) -> int:
        """Return the program's version, 2 or 3, from the test's lines, else from its rows."""
        if self.generation is not None:
            return self.generation
        if self.summary or self.done:
            return 3
        return next((row.generation or 2 for row in self.rows), 2)

    def seen(self, line: int) -> None:
        """Extend the line range by a line."""
        self.first = self.first or line
        self.last = max(self.last, line)

    def repeats(self, row: IntervalRow, *, closing: bool) -> bool:
        """Return True if the row is a repetition.

        It then follows the end of the test, or is the last interval of a disconnected client, which
        iperf3's server prints twice.
        """
        before = self._latest.get(_key(row, closing))
        return before == row and (self.done if closing else self.headed)

    def begins_another(self, row: IntervalRow, *, closing: bool) -> bool:
        """Return True if a row belongs to another test, because this one has its row already."""
        key = _key(row, closing)
        before = self._latest.get(key)
        if closing:
            return self.done or before is not None
        if self.summary:
            return True
        if before is None:
            return not self.headed and not row.total and self._summed()
        return not self._continues(key, before, row)

    def _summed(self) -> bool:
        """Return True if the last row is the sum over the whole test."""
        last = self.rows[-1] if self.rows else None
        return last is not None and last.total and last.start < SLACK

    def _continues(self, key: Key, before: IntervalRow, row: IntervalRow) -> bool:
        """Return True for the next interval, the first one after omitted ones, and the total."""
        if row.start > before.start + SLACK:
            return key not in self._totals
        if before.omitted and row.start < SLACK:
            return True
        is_total = row.start < SLACK and row.end >= before.end - SLACK
        several = before.start > SLACK or self.headed
        return is_total and several and key not in self._totals

    def add(self, row: IntervalRow, *, closing: bool) -> None:
        """Add a row of the closing table, or an interval."""
        key = _key(row, closing)
        before = self._latest.get(key)
        if before is not None and row.start < SLACK and not before.omitted:
            self._totals.add(key)
        self._latest[key] = row
        (self.summary if closing else self.rows).append(row)
        if row.jitter is not None:
            self.protocol = "UDP"

    def close(self, stream: str) -> None:
        """Mark the last row of a stream as its closing row.

        iperf3 prints datagram counts after it.
        """
        last = self._latest.get((stream, None, None))
        if last and last.start < SLACK and last.generation == 3:
            self.closed.add(stream)

    def move_closing_rows(self) -> None:
        """Move unmarked closing rows of iperf3 to the closing table."""
        if self.summary:
            return
        if self.closed:
            names = [*self.closed, *(row.id for row in self.rows if row.total)]
            last = [self._latest[name, None, None] for name in dict.fromkeys(names)]
        else:
            last = self.rows if self._only_totals else []
        closing = {id(row) for row in last if row.start < SLACK}
        self.summary = [row for row in self.rows if id(row) in closing]
        self.rows = [row for row in self.rows if id(row) not in closing]

    @property
    def _only_totals(self) -> bool:
        """Return True if only rows of whole tests of iperf3 are left.

        They start at 0 and are longer than a default interval.
        """
        if self.headed or self.shape != 3:
            return False
        return all(row.start < SLACK and row.end > _INTERVAL and row.bare for row in self.rows)

    @property
    def lost_its_client(self) -> bool:
        """Return True if the client of a server disconnected.

        The server then counted more than its intervals have, and printed the last interval twice.
        """
        if not (self.server and self.twice and self.summary):
            return False
        counted = sum(row.bytes for row in self.summary if not row.total)
        in_intervals = sum(row.bytes for row in self.rows if not (row.total or row.omitted))
        return counted > (1 + SLACK) * in_intervals

    def next_test(self) -> Test:
        """Return the next test of the same server, or of the same call."""
        return Test(
            self.generation,
            self.protocol,
            self.port,
            self.listens,
            self.host,
            server=self.server,
            headed=True,
        )


def _key(row: IntervalRow, closing: bool) -> Key:
    return row.id, row.role, row.ends or "closing" if closing else None

"""Rows, connections and stated parameters of one test of a text."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.tools.values import Parameters

from .text_rows import IntervalRow

SLACK = 0.02
# Both programs show intervals of one second, if nothing else is asked for.
_INTERVAL = 1.5
Key = tuple[str, str | None, str | None]


@dataclass
class Connection:
    """One stream's ends, and whether iperf 2 says that its data runs against the connection.
    `both`: data runs in both directions of it.
    """

    local: int
    remote: int
    reverse: bool = False
    both: bool = False
    local_host: str = ""
    remote_host: str = ""


@dataclass
class Test:
    """One test. `headed`: a line began it. `port`: the one that its client connects to; `listens`:
    the one that this end listens on. `summary`: rows of iperf3's closing table; `reports`: the
    server's rows that an iperf 2 client repeats; `numbers`: what CSV calls the connections;
    `stated`: parameters in lines around the rows; `twice`: the last interval
    was printed twice; `first`, `last`: its lines; `began`: seconds
    since 1970.
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
        """Whether nothing was measured yet."""
        return not (self.rows or self.summary or self.reports)

    @property
    def shape(self) -> int:
        """2 or 3: what the lines of the test say, else what the shape of its rows says."""
        if self.generation is not None:
            return self.generation
        if self.summary or self.done:
            return 3
        return next((row.generation or 2 for row in self.rows), 2)

    def seen(self, line: int) -> None:
        """A line belongs to this test."""
        self.first = self.first or line
        self.last = max(self.last, line)

    def repeats(self, row: IntervalRow, *, closing: bool) -> bool:
        """Whether the row is printed once more: behind the test's end, or as iperf3's server
        prints the last interval of a client that went away.
        """
        before = self._latest.get(_key(row, closing))
        return before == row and (self.done if closing else self.headed)

    def begins_another(self, row: IntervalRow, *, closing: bool) -> bool:
        """Whether a row can only be another test's: its place in this one is taken."""
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
        """Whether the last row is the sum over the whole test."""
        last = self.rows[-1] if self.rows else None
        return last is not None and last.total and last.start < SLACK

    def _continues(self, key: Key, before: IntervalRow, row: IntervalRow) -> bool:
        """Whether the row is the next interval, the first behind omitted ones, or the total."""
        if row.start > before.start + SLACK:
            return key not in self._totals
        if before.omitted and row.start < SLACK:
            return True
        is_total = row.start < SLACK and row.end >= before.end - SLACK
        several = before.start > SLACK or self.headed
        return is_total and several and key not in self._totals

    def add(self, row: IntervalRow, *, closing: bool) -> None:
        """A row of the closing table, or one in time."""
        key = _key(row, closing)
        before = self._latest.get(key)
        if before is not None and row.start < SLACK and not before.omitted:
            self._totals.add(key)
        self._latest[key] = row
        (self.summary if closing else self.rows).append(row)
        if row.jitter is not None:
            self.protocol = "UDP"

    def close(self, stream: str) -> None:
        """The last row of a stream is its closing one: iperf3 counts datagrams behind it."""
        last = self._latest.get((stream, None, None))
        if last and last.start < SLACK and last.generation == 3:
            self.closed.add(stream)

    def settle(self) -> None:
        """Put the closing rows of iperf3 that do not say so to those of the closing table."""
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
        """Whether all that is left of iperf3's output are rows from 0 to an end that is no usual
        interval's.
        """
        if self.headed or self.shape != 3:
            return False
        return all(row.start < SLACK and row.end > _INTERVAL and row.bare for row in self.rows)

    @property
    def lost_its_client(self) -> bool:
        """Whether a server counted more than its intervals have and printed the last one twice, as
        it does for a client that goes away.
        """
        if not (self.server and self.twice and self.summary):
            return False
        counted = sum(row.bytes for row in self.summary if not row.total)
        shown = sum(row.bytes for row in self.rows if not (row.total or row.omitted))
        return counted > (1 + SLACK) * shown

    def goes_on(self) -> Test:
        """The next test of the same server, or of the same call."""
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

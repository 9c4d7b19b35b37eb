"""State of one run of `rados bench` during parsing: announcement, table and summary."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.tools.text import number
from apps.tools.values import Parameters

from .call import RadosCall

# The minimum latency is the last line of the summary (ceph: obj_bencher.cc).
LAST_FIGURE = "min_latency"
MAX_SECOND = 1_000_000
MIB = 1024**2
NS = 1e9


@dataclass(frozen=True)
class SecondRow:
    """One second of the table; None where rados prints a dash.

    - `finished`: operations since the start.
    - `average`, `current`: MiB/s ("MB/s") since the start and in this second.
    - `latency`: mean latency since the start in seconds.
    """

    second: int
    finished: int
    average: float | None
    current: float | None
    latency: float | None


@dataclass
class RadosRun:
    """Parsed lines of one run.

    - `operation`, `requested_seconds`: from a command line, a header or the summary.
    - `params`: by the names of plan parameters.
    - `figures`: values of the summary in rados's units.
    - `position`: (2, 3) for benchlab's announcement "2/3".
    - `from_command`: parameters that only the command line contains.
    - `first`, `last`: line numbers from 1.
    """

    operation: str | None = None
    requested_seconds: float | None = None
    params: Parameters = field(default_factory=dict)
    rows: list[SecondRow] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    lost_end: bool = False
    position: tuple[int, int] | None = None
    pool: str = ""
    unread: dict[str, str] = field(default_factory=dict)
    from_command: frozenset[str] = frozenset()
    first: int | None = None
    last: int | None = None

    def called(self, call: RadosCall) -> None:
        """Set the parameters of the command line."""
        self.operation, self.requested_seconds, self.pool = call.operation, call.seconds, call.pool
        self.params, self.from_command = {**call.params}, frozenset(call.params)
        self.unread = {**call.unread}

    def wrote(self) -> None:
        """Mark the run as a write; parameters of another operation's command line are dropped."""
        if self.operation not in (None, "write"):
            self.params = {n: v for n, v in self.params.items() if n not in self.from_command}
            self.unread, self.pool, self.requested_seconds = {}, "", None
        self.operation = "write"

    def read(self) -> None:
        """Mark the run as a read; parameters of a write are dropped."""
        if self.operation == "write":
            self.operation, self.params, self.unread, self.pool = None, {}, {}, ""
            self.requested_seconds = None

    def update_params(self, params: Parameters) -> None:
        """Set parameters of the output, which override the command line."""
        self.params |= params
        self.from_command -= params.keys()
        self.unread = {name: text for name, text in self.unread.items() if name not in params}

    def at(self, number: int) -> None:
        """Extend the line range by a line."""
        self.first = self.first or number
        self.last = number

    @property
    def complete(self) -> bool:
        """Return True if the last line of the summary was parsed."""
        return LAST_FIGURE in self.figures

    @property
    def started(self) -> bool:
        """Return True if a row or a summary line was parsed."""
        return bool(self.rows or self.figures)

    def add(self, row: SecondRow) -> None:
        """Add the next second; a row that does not follow the previous one is ignored."""
        follows = not self.rows or self.rows[-1].second < row.second
        if follows and row.second <= MAX_SECOND:
            self.rows.append(row)

    def figure(self, name: str, text: str) -> None:
        """Set a value of the summary.

        Uninitialised values that rados prints (1.8e308, a negative count) are ignored.
        """
        value = figure(text)
        if value is not None and value >= 0:
            self.figures[name] = value


def figure(text: object) -> float | None:
    """Parse a finite number; None for a dash and other text."""
    try:
        value = number(float(str(text)[:40]))
    except ValueError:
        return None
    return None if value is None else float(value)


def whole(text: object) -> int:
    """Parse a count.

    Raises: ValueError.
    """
    digits = str(text)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        raise ValueError("no count")
    return int(digits)

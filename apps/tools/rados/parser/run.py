"""One run of `rados bench` as its parsers collect it: where it was announced, its table, its
summary.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.tools.text import number
from apps.tools.values import Parameters

from .call import RadosCall

# rados sums up at its end: the minimum latency is its last line (ceph: obj_bencher.cc).
LAST_FIGURE = "min_latency"
MAX_SECOND = 1_000_000
MIB = 1024**2
NS = 1e9


@dataclass(frozen=True)
class SecondRow:
    """A second of the table: operations finished since the start, MB/s (MiB/s) so far and in this
    second, mean latency so far in seconds; None where rados printed a dash.
    """

    second: int
    finished: int
    average: float | None
    current: float | None
    latency: float | None


@dataclass
class RadosRun:
    """`operation` and `asked` (seconds) come from a command line, a header or the summary; `params`
    have the names of plan parameters; `figures` are the summary's, in rados's own units; `place` is
    "2 of 3" where benchlab announced it so; `from_command`: those that only the command states;
    `first`, `last`: lines of the text, from 1.
    """

    operation: str | None = None
    asked: float | None = None
    params: Parameters = field(default_factory=dict)
    rows: list[SecondRow] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    lost_end: bool = False
    place: tuple[int, int] | None = None
    pool: str = ""
    unread: dict[str, str] = field(default_factory=dict)
    from_command: frozenset[str] = frozenset()
    first: int | None = None
    last: int | None = None

    def called(self, call: RadosCall) -> None:
        """Take what the command line asks for."""
        self.operation, self.asked, self.pool = call.operation, call.seconds, call.pool
        self.params, self.from_command = {**call.params}, frozenset(call.params)
        self.unread = {**call.unread}

    def wrote(self) -> None:
        """The output is of a write: a command of another operation was not its own."""
        if self.operation not in (None, "write"):
            self.params = {n: v for n, v in self.params.items() if n not in self.from_command}
            self.unread, self.pool, self.asked = {}, "", None
        self.operation = "write"

    def read(self) -> None:
        """The output is of a read: what a write was asked for is not its own."""
        if self.operation == "write":
            self.operation, self.params, self.unread, self.pool = None, {}, {}, ""
            self.asked = None

    def told(self, params: Parameters) -> None:
        """Take what the output says, which counts more than the command line."""
        self.params |= params
        self.from_command -= params.keys()
        self.unread = {name: words for name, words in self.unread.items() if name not in params}

    def at(self, number: int) -> None:
        """A line of the text belongs to this run."""
        self.first = self.first or number
        self.last = number

    @property
    def complete(self) -> bool:
        """Whether the summary came to its last line."""
        return LAST_FIGURE in self.figures

    @property
    def started(self) -> bool:
        """Whether there is a table or a summary already."""
        return bool(self.rows or self.figures)

    def add(self, row: SecondRow) -> None:
        """Take the next second; what does not follow the one before is no row of this table."""
        follows = not self.rows or self.rows[-1].second < row.second
        if follows and row.second <= MAX_SECOND:
            self.rows.append(row)

    def figure(self, name: str, text: str) -> None:
        """Take a figure of the summary; rados prints what was never set as it finds it (1.8e308, a
        negative count), and that is no figure.
        """
        value = figure(text)
        if value is not None and value >= 0:
            self.figures[name] = value


def figure(text: object) -> float | None:
    """A finite number from rados's text, None for a dash and for what is no number."""
    try:
        value = number(float(str(text)[:40]))
    except ValueError:
        return None
    return None if value is None else float(value)


def whole(text: object) -> int:
    """A count from rados's text. Raises ValueError."""
    digits = str(text)
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        raise ValueError("no count")
    return int(digits)

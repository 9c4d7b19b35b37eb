"""State of one run of `rbd bench` during parsing (ceph: src/tools/rbd/action/Bench.cc)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from apps.tools.text import parse_number
from apps.tools.values import Parameters

from .call import RbdCall

MAX_LINE = 1000
MAX_SECOND = 1_000_000
_UNITS = {"B": 0, "KiB": 1, "MiB": 2, "GiB": 3, "TiB": 4, "PiB": 5}
# "bench  type readwrite read:write=70:30 io_size 4096 io_threads 16 bytes 25165824 pattern random";
# before luminous "bench-write  io_size 4096 io_threads 16 bytes 1073741824 pattern seq".
ANNOUNCED = re.compile(
    r"^[ \t]*bench(?:-write)?[ \t]+(?:type (?P<type>read|write|readwrite)"
    r"(?: read:write=(?P<reads>\d{1,3}):\d{1,3})?[ \t]+)?io_size (?P<size>\d{1,18})"
    r" io_threads (?P<threads>\d{1,9}) bytes (?P<bytes>\d{1,19})"
    r" pattern (?P<pattern>[a-z]+(?: sequential)?)"
)
# benchlab's line before each call: "1/2: rbd bench ..." fills the image, the last is measured.
STEP = re.compile(r"^[ \t]*(?P<step>\d)/(?P<steps>\d): rbd bench ")
HEADING = re.compile(r"^[ \t]*SEC[ \t]+OPS[ \t]+OPS/SEC[ \t]+BYTES/SEC")
_RATE = r"(?P<rate>[\d.e+]{1,24})"
_AMOUNT = r"(?P<bytes>[\d.e+]{1,24})(?: ?(?P<unit>[KMGTP]?i?B)/s)?"
ROW = re.compile(
    rf"^[ \t]*(?P<second>\d{{1,9}})[ \t]+(?P<ops>\d{{1,18}})[ \t]+{_RATE}[ \t]+{_AMOUNT}[ \t]*$"
)
ELAPSED = re.compile(
    r"^[ \t]*elapsed:[ \t]*(?P<second>\d{1,9})[ \t]+ops:[ \t]*(?P<ops>\d{1,18})[ \t]+"
    rf"ops/sec:[ \t]*{_RATE}[ \t]+bytes/sec:[ \t]*{_AMOUNT}"
)
SHARE = re.compile(
    r"^[ \t]*(?P<operation>read|write)_ops:[ \t]*(?P<ops>\d{1,18})[ \t]+"
    rf"\w+_ops/sec:[ \t]*{_RATE}[ \t]+\w+_bytes/sec:[ \t]*{_AMOUNT}"
)
_PATTERNS = {"seq": "sequential", "rand": "random"}


@dataclass(frozen=True)
class RbdFigures:
    """Finished operations, their rate (1/s), and the printed bytes/s.

    Since luminous the printed value is rounded: "93 MiB/s".
    """

    operations: int
    rate: float | None
    printed: float | None


@dataclass
class RbdRun:
    """Parsed lines of one run.

    - `rows`: second and operations finished so far.
    - `total`, `shares`: values of the summary; `shares` are the reads and the writes of a mix.
    - `preparing`: it fills the image for the next run.
    - `call`: its command line.
    - `first`, `last`: line numbers from 1.
    """

    params: Parameters = field(default_factory=dict)
    rows: list[tuple[int, int]] = field(default_factory=list)
    total: RbdFigures | None = None
    shares: dict[str, RbdFigures] = field(default_factory=dict)
    preparing: bool = False
    call: RbdCall = field(default_factory=RbdCall)
    first: int | None = None
    last: int | None = None

    @property
    def lines(self) -> tuple[int, int] | None:
        """Return the first and the last line of its report."""
        return (self.first, self.last) if self.first and self.last else None

    def at(self, number: int) -> None:
        """Extend the line range by a line."""
        self.first = self.first or number
        self.last = number

    @property
    def mixed(self) -> bool:
        """Return True if it reads and writes."""
        return self.params.get("mode") == "readwrite"

    @property
    def complete(self) -> bool:
        """Return True if the last line of the summary was parsed."""
        return self.total is not None and (not self.mixed or len(self.shares) == 2)

    def row(self, second: int, operations: int) -> None:
        """Add a row; a row that does not follow the previous one is ignored."""
        last = self.rows[-1] if self.rows else (0, 0)
        if last[0] < second <= MAX_SECOND and operations >= last[1]:
            self.rows.append((second, operations))


def announced(match: re.Match[str]) -> RbdRun:
    """Build a run from its first line. A line without a type is that of the old bench-write."""
    params: Parameters = {
        "mode": match["type"] or "write",
        "pattern": _PATTERNS.get(match["pattern"], match["pattern"]),
        "bs": int(match["size"]),
        "threads": int(match["threads"]),
        "size": int(match["bytes"]),
    }
    if match["reads"]:
        params["reads"] = int(match["reads"])
    return RbdRun(params)


def figures(match: re.Match[str]) -> RbdFigures:
    """Return the values of a line of the summary."""
    amount = parse_number(match["bytes"])
    power = _UNITS.get(match["unit"] or "B", 0)
    printed = None if amount is None else amount * 1024.0**power
    return RbdFigures(int(match["ops"]), parse_number(match["rate"]), printed)

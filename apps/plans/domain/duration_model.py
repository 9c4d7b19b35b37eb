"""The time a case will really take: its tool's, and what earlier cases took around that.

Around a test are the claim, lending and settling settings, laying out files, starting, collecting,
giving settings back. That is a matter of the host, the tool and the tuning, and cannot be told from
the plan; so it is learned. Pure functions; the history is read in `case_times.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from statistics import median

# Seconds around a test where nothing is known: checks, starting, collecting and storing.
CASE_OVERHEAD = 2.0
# Of what was planned at least this part is expected, whatever earlier cases took.
LEAST_PART = 0.05


@dataclass(frozen=True)
class DurationKey:
    """The properties that decide how long a case takes: host (id), tool, workload (its key or id)
    and tuning.
    """

    host: int
    tool: str
    workload: Hashable
    tuning: str

    def levels(self) -> Iterator[Hashable]:
        """From the very same test to any test of this tool on this host."""
        yield self.host, self.tool, self.workload, self.tuning
        yield self.host, self.tool, None, self.tuning
        yield self.host, self.tool, None, None


@dataclass(frozen=True)
class DurationSample:
    """A case that succeeded: the seconds its tool was planned for, and those it kept its host."""

    kind: DurationKey
    planned: float
    taken: float


class DurationModel:
    """Expected times from a history."""

    def __init__(
        self, history: Iterable[DurationSample] = (), overhead: float = CASE_OVERHEAD
    ) -> None:
        """`overhead`: seconds around a test of which nothing is known."""
        self._known: dict[Hashable, list[DurationSample]] = defaultdict(list)
        self._overhead = overhead
        for row in history:
            if row.planned > 0:
                for level in row.kind.levels():
                    self._known[level].append(row)

    def seconds(self, kind: DurationKey, planned: float) -> float:
        """Seconds from the beginning of a case to its end, when its tool needs `planned`.

        The median of what the nearest earlier cases took more than planned is added; where they
        took less (a test that ends when its data is through), the plan is scaled.
        """
        rows = next((self._known[level] for level in kind.levels() if level in self._known), None)
        if rows is None:
            return planned + self._overhead
        more = median(row.taken - row.planned for row in rows)
        if more >= 0:
            return planned + more
        part = median(row.taken / row.planned for row in rows)
        return planned * max(LEAST_PART, min(1.0, part))


NOTHING_KNOWN = DurationModel()

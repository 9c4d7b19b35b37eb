"""Expected duration of a case: that of the tool, and the overhead of earlier cases.

The preview adds the durations of a plan's cases. runs/selectors/progress.py expects the rest of a
running run.

The overhead is the claim, applying and settling settings, layout of files, start, collection and
restoring. It depends on host, tool and tuning profile and is learned from earlier cases. Pure
functions; apps.plans.selectors.durations reads the history.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

# Seconds of overhead without history: checks, start, collection and storage.
CASE_OVERHEAD = 2.0
# Seconds of a restart of one daemon, without history: two waits for HEALTH_OK of three checks a
# second apart (remote/agent/ceph/restarts.py), and the daemon's way back: the start of an OSD, the
# election of monitors, the replay of an MDS.
RESTART_SECONDS: Mapping[str, float] = {"osd": 8.0, "mon": 7.0, "mds": 13.0}
# Of what was planned at least this part is expected, whatever earlier cases took.
MIN_SHARE = 0.05
# Fewer ratios of actual to expected durations have no 90th percentile worth the name.
MIN_RATIOS = 5


@dataclass(frozen=True)
class DurationKey:
    """What decides a case's duration: host (id), tool, workload (key or id) and tuning profile."""

    host: int
    tool: str
    workload: Hashable
    tuning: str

    def levels(self) -> Iterator[Hashable]:
        """Return keys from the identical case to any case of this tool on this host."""
        yield self.host, self.tool, self.workload, self.tuning
        yield self.host, self.tool, None, self.tuning
        yield self.host, self.tool, None, None


@dataclass(frozen=True)
class DurationSample:
    """A succeeded case: planned seconds of its tool, and seconds of its host's use."""

    kind: DurationKey
    planned: float
    taken: float


@dataclass(frozen=True)
class DurationSpread:
    """Actual over expected durations of earlier cases: their median and 90th percentile."""

    median: float = 1.0
    p90: float = 1.5


def duration_spread(ratios: Sequence[float], min_count: int = MIN_RATIOS) -> DurationSpread:
    """Return the spread of ratios by nearest rank; the default if they are too few."""
    if len(ratios) < min_count:
        return DurationSpread()
    rows = sorted(ratios)
    return DurationSpread(*(rows[ceil(part * len(rows)) - 1] for part in (0.5, 0.9)))


class DurationModel:
    """Expected durations from a history."""

    def __init__(
        self, history: Iterable[DurationSample] = (), overhead: float = CASE_OVERHEAD
    ) -> None:
        """`overhead`: seconds around a case without history."""
        self._known: dict[Hashable, list[DurationSample]] = defaultdict(list)
        self._overhead = overhead
        for row in history:
            if row.planned > 0:
                for level in row.kind.levels():
                    self._known[level].append(row)

    def seconds(self, kind: DurationKey, planned: float, restarts: float = 0.0) -> float:
        """Return the seconds from start to end of a case whose tool needs `planned` seconds.

        Adds the median overhead of the nearest earlier cases. If they took less than planned (a
        tool that ends with its data), the planned time is scaled. `restarts`: seconds that daemons
        restart, added unless earlier cases of the same tuning profile include them.
        """
        levels = list(kind.levels())
        level = next((level for level in levels if level in self._known), None)
        extra = restarts if level in (None, levels[-1]) else 0.0
        if level is None:
            return planned + self._overhead + extra
        rows = self._known[level]
        more = median(row.taken - row.planned for row in rows)
        if more >= 0:
            return planned + more + extra
        part = median(row.taken / row.planned for row in rows)
        return planned * max(MIN_SHARE, min(1.0, part)) + extra


NO_HISTORY = DurationModel()

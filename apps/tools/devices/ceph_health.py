"""A Ceph cluster's health while a test ran: the agent's ceph-health.log.

One line a change: `{"monotonic": seconds of the host's steady clock, "status": "HEALTH_WARN",
"checks": {code: sentence}, "error": why it did not answer}` (docs/development/agent.md). The codes
are those of https://docs.ceph.com/en/latest/rados/operations/health-checks/.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

LOG = "ceph-health.log"
HEALTHY = "HEALTH_OK"
ERROR = "HEALTH_ERR"
# What stops or holds up a client's operations, whatever the tool does.
STOPPING = frozenset(
    (
        *("OSD_FULL", "POOL_FULL", "OSD_BACKFILLFULL", "POOL_BACKFILLFULL"),
        *("SLOW_OPS", "REQUEST_SLOW", "REQUEST_STUCK", "PG_AVAILABILITY", "OSD_DOWN", "MON_DOWN"),
    )
)
MOST_SAID = 4


@dataclass(frozen=True)
class Health:
    """The health from `moment` on (seconds of the host's steady clock), until the next one."""

    moment: float
    status: str
    checks: tuple[tuple[str, str], ...]
    error: str = ""

    @property
    def is_good(self) -> bool:
        return self.status == HEALTHY and not self.error

    @property
    def stops(self) -> bool:
        """Whether that alone explains a test that hangs or fails."""
        named = {code for code, _ in self.checks} & STOPPING
        return bool(self.error or named) or self.status == ERROR

    def sentence(self) -> str:
        """ "HEALTH_ERR: 3 full osd(s); 1 pool(s) full"."""
        if self.error:
            return f"no answer ({self.error})"
        said = [text for _, text in self.checks]
        more = len(said) - MOST_SAID
        shown = said[:MOST_SAID] + ([f"and {more} more"] if more > 0 else [])
        return f"{self.status}: {'; '.join(shown)}" if shown else self.status


def read_log(data: bytes) -> list[Health]:
    """The log in order; what is no entry is left out."""
    found = []
    for line in data.split(b"\n")[:-1]:
        try:
            entry = json.loads(line)
            checks = tuple(sorted((str(c), str(text)) for c, text in entry["checks"].items()))
            moment = float(entry["monotonic"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        status, error = str(entry.get("status") or ""), str(entry.get("error") or "")
        found.append(Health(moment, status, checks, error))
    return found


def worst(seen: Sequence[Health]) -> Health | None:
    """The health that explains most: the last of what stops operations, else the last that was not
    good.
    """
    bad = [health for health in seen if not health.is_good]
    return next((h for h in reversed(bad) if h.stops), bad[-1] if bad else None)


def appeared(seen: Sequence[Health], begin: float, end: float) -> list[Health]:
    """Complaints that began between two moments: not what stood there before."""
    before = {code for health in seen if health.moment < begin for code, _ in health.checks}
    fresh = []
    for health in seen:
        new = tuple(pair for pair in health.checks if pair[0] not in before)
        if begin <= health.moment <= end and (new or health.error):
            before |= {code for code, _ in new}
            fresh.append(Health(health.moment, health.status, new, health.error))
    return fresh

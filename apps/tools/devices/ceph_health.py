"""Health of a Ceph cluster during a test: the agent's ceph-health.log.

The log has one line per change: `{"monotonic": seconds of the host's monotonic clock, "status":
"HEALTH_WARN", "checks": {code: message}, "error": reason of a missing response}`
(docs/development/agent.md). The codes are those of
https://docs.ceph.com/en/latest/rados/operations/health-checks/.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.tools.devices.log_lines import log_entries, number

LOG = "ceph-health.log"
HEALTHY = "HEALTH_OK"
ERROR = "HEALTH_ERR"
# Checks that stop or delay client I/O, whichever tool runs.
STOPPING = frozenset(
    (
        *("OSD_FULL", "POOL_FULL", "OSD_BACKFILLFULL", "POOL_BACKFILLFULL"),
        *("SLOW_OPS", "REQUEST_SLOW", "REQUEST_STUCK", "PG_AVAILABILITY", "OSD_DOWN", "MON_DOWN"),
    )
)
MAX_CHECKS_SHOWN = 4


@dataclass(frozen=True)
class Health:
    """Health from `timestamp` (seconds of the host's monotonic clock) until the next entry."""

    timestamp: float
    status: str
    checks: tuple[tuple[str, str], ...]
    error: str = ""

    @property
    def is_good(self) -> bool:
        return self.status == HEALTHY and not self.error

    @property
    def stops(self) -> bool:
        """Return True if this health alone explains a test that hangs or fails."""
        named = {code for code, _ in self.checks} & STOPPING
        return bool(self.error or named) or self.status == ERROR

    def sentence(self) -> str:
        """Return "HEALTH_ERR: 3 full osd(s); 1 pool(s) full"."""
        if self.error:
            return f"no answer ({self.error})"
        texts = [text for _, text in self.checks]
        more = len(texts) - MAX_CHECKS_SHOWN
        texts_shown = texts[:MAX_CHECKS_SHOWN] + ([f"and {more} more"] if more > 0 else [])
        return f"{self.status}: {'; '.join(texts_shown)}" if texts_shown else self.status


def read_log(data: bytes) -> list[Health]:
    """Return the log's entries in order, without invalid lines."""
    entries = []
    for entry in log_entries(data):
        try:
            checks = tuple(sorted((str(c), str(text)) for c, text in entry["checks"].items()))
            timestamp = number(entry["monotonic"])
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        status, error = str(entry.get("status") or ""), str(entry.get("error") or "")
        entries.append(Health(timestamp, status, checks, error))
    return entries


def worst(history: Sequence[Health]) -> Health | None:
    """Return the health that explains most.

    That is the last one that stops operations, else the last that was not good.
    """
    bad = [health for health in history if not health.is_good]
    return next((h for h in reversed(bad) if h.stops), bad[-1] if bad else None)


def appeared(history: Sequence[Health], begin: float, end: float) -> list[Health]:
    """Return the checks that began between two timestamps, without those present before."""
    before = {code for health in history if health.timestamp < begin for code, _ in health.checks}
    new_entries = []
    for health in history:
        new = tuple(pair for pair in health.checks if pair[0] not in before)
        if begin <= health.timestamp <= end and (new or health.error):
            before |= {code for code, _ in new}
            new_entries.append(Health(health.timestamp, health.status, new, health.error))
    return new_entries

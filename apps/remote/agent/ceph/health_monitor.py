"""Write ceph-health.log: the health of the cluster while a job runs.

A separate process polls, since `ceph` may hang.
"""

import json
import re
import time
from typing import Any, Dict, List, Optional

from ..files import read_text
from ..host.identity import command_environment
from ..processes.companion import Companion, ended_within
from ..processes.job_folder import Job
from ..schema import ClusterHealth
from .ceph_cli import CephError
from .mon_connection import MonConnection

LOG = "ceph-health.log"
INTERVAL_SECONDS = 10.0  # between two queries
CONNECT_SECONDS, TIMEOUT_SECONDS = "5", 15.0
MAX_CHECKS, MAX_TEXT_LENGTH = 20, 300
# Detail of POOL_FULL for each pool: by quota or by a full OSD (ceph: OSDMap.cc).
FULL = re.compile(r"^pool '(.+)' is full")


class HealthMonitor(Companion):
    """The supervisor's handle of the monitor process."""

    def __init__(self, job: Job) -> None:
        super().__init__(job, MonitorProcess(job.path(LOG), command_environment(job.base)).run)


class MonitorProcess:
    """The monitor process itself."""

    def __init__(self, path: str, environment: Dict[str, str]) -> None:
        self.path = path
        self.ceph = MonConnection(environment, CONNECT_SECONDS, TIMEOUT_SECONDS)

    def run(self, life_reader: int) -> None:
        """Poll until the supervisor has gone; write a line for each change."""
        last: Optional[ClusterHealth] = None
        while True:
            started = time.monotonic()
            health = read_health(self.ceph)
            if health != last:
                self.write(dict(health, monotonic=started))
                last = health
            if ended_within(life_reader, INTERVAL_SECONDS):
                self.ceph.close()
                return

    def write(self, entry: Dict[str, object]) -> None:
        """Append a line; ignored if the file system is full."""
        try:
            with open(self.path, "a") as file:
                file.write(json.dumps(entry, sort_keys=True) + "\n")
        except OSError:
            pass


def read_health(ceph: MonConnection) -> ClusterHealth:
    """Return `status`, `checks` (code: message) and `full` (pool names), or the `error`."""
    try:
        report = ceph.query("health", detail="detail")
    except CephError as error:
        return {"status": None, "checks": {}, "full": [], "error": str(error)[:MAX_TEXT_LENGTH]}
    report = report if isinstance(report, dict) else {}
    status = report.get("status") or report.get("overall_status")
    text = str(status) if status else None
    return {
        "status": text,
        "checks": health_checks(report),
        "full": full_pools(report),
        "error": "",
    }


def full_pools(health: Dict[str, Any]) -> List[str]:
    """Return the pools that accept no more writes; their writers block."""
    rows = health.get("checks")
    row = rows.get("POOL_FULL") if isinstance(rows, dict) else None
    texts = [str(each.get("message")) for each in (row or {}).get("detail") or []]
    return sorted(match.group(1) for match in map(FULL.match, texts) if match)[:MAX_CHECKS]


def is_full(path: str, pool: str) -> bool:
    """Return True if the last line of the log lists the pool as full."""
    lines = (read_text(path) or "").splitlines()
    try:
        return pool in json.loads(lines[-1])["full"]
    except (IndexError, ValueError):  # no line yet, or an incomplete one
        return False


def health_checks(health: Dict[str, Any]) -> Dict[str, str]:
    """Return the message of each health check by code. Before Luminous there are no codes."""
    rows: Any = health.get("checks")
    if isinstance(rows, dict):
        pairs = [(code, (row.get("summary") or {}).get("message")) for code, row in rows.items()]
    else:
        texts = [row.get("summary") for row in health.get("summary") or []]
        pairs = [(str(text), text) for text in texts]
    chosen = sorted(pairs, key=lambda pair: str(pair[0]))[:MAX_CHECKS]
    return {
        str(code)[:MAX_TEXT_LENGTH]: str(text or code)[:MAX_TEXT_LENGTH] for code, text in chosen
    }

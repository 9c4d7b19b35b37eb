"""ceph-health.log: what the cluster says of its health while a job runs, asked every few seconds.

A process of its own asks, for `ceph` may take long to answer, or never: it belongs to init, holds
neither the job's lock nor its claim, and ends with its supervisor, however that ends.
"""

import json
import os
import re
import select
import signal
import time
from typing import Any, Dict, List, Optional

from ..files import read_text
from ..host.identity import command_environment
from ..jobs.job import Job
from ..jobs.processes import detach
from ..shapes import Health
from .command import CephError
from .connection import Connection

LOG = "ceph-health.log"
EVERY = 10.0  # seconds between two questions
CONNECT, PATIENCE = "5", 15.0
FAREWELL = 1.0  # seconds it has to end by itself
MOST_CHECKS, LONGEST = 20, 300
# What POOL_FULL says of each pool: by its quota, or as one of its OSDs is (ceph: OSDMap.cc).
FULL = re.compile(r"^pool '(.+)' is full")


class HealthWatch:
    """The watching process, from its supervisor's side. `pid` is None if it never began."""

    def __init__(self, job: Job) -> None:
        heard, telling = os.pipe()
        living, self.life = os.pipe()
        path, environment = job.path(LOG), command_environment(job.base)
        body = Watch(path, environment, living, telling).run
        detach(body, [living, telling], job.path("agent.log"))
        os.close(living)
        os.close(telling)
        self.heard = heard
        said = os.read(heard, 32)
        self.pid: Optional[int] = int(said) if said else None

    def end(self) -> None:
        """When this returns nobody writes the log any more."""
        os.close(self.life)
        ended = select.select([self.heard], [], [], FAREWELL)[0]
        if not ended and self.pid:
            # It still holds its end of the pipe, so the number is still its own.
            os.killpg(self.pid, signal.SIGKILL)
            select.select([self.heard], [], [], FAREWELL)
        os.close(self.heard)


class Watch:
    """The watching process itself."""

    def __init__(self, path: str, environment: Dict[str, str], living: int, telling: int) -> None:
        self.path = path
        self.ceph = Connection(environment, CONNECT, PATIENCE)
        self.living = living
        self.telling = telling

    def run(self) -> None:
        """Ask until the supervisor is gone; a line for each change."""
        os.write(self.telling, str(os.getpid()).encode())
        last: Optional[Health] = None
        while True:
            asked = time.monotonic()
            seen = look(self.ceph)
            if seen != last:
                self.write(dict(seen, monotonic=asked))
                last = seen
            if select.select([self.living], [], [], EVERY)[0]:
                self.ceph.end()
                return

    def write(self, entry: Dict[str, object]) -> None:
        """One line; a full file system loses it, not the job."""
        try:
            with open(self.path, "a") as file:
                file.write(json.dumps(entry, sort_keys=True) + "\n")
        except OSError:
            pass


def look(ceph: Connection) -> Health:
    """`status`, `checks` (code: sentence) and `full` (names of pools) of the cluster, or the
    `error`.
    """
    try:
        answer = ceph.ask("health", detail="detail")
    except CephError as error:
        return {"status": None, "checks": {}, "full": [], "error": str(error)[:LONGEST]}
    found = answer if isinstance(answer, dict) else {}
    status = found.get("status") or found.get("overall_status")
    words = str(status) if status else None
    return {"status": words, "checks": checks(found), "full": full(found), "error": ""}


def full(health: Dict[str, Any]) -> List[str]:
    """The pools that take no more writes; whoever writes to them waits."""
    rows = health.get("checks")
    row = rows.get("POOL_FULL") if isinstance(rows, dict) else None
    told = [str(each.get("message")) for each in (row or {}).get("detail") or []]
    return sorted(match.group(1) for match in map(FULL.match, told) if match)[:MOST_CHECKS]


def is_full(path: str, pool: str) -> bool:
    """Whether a pool was full when the cluster was last asked, by the log at `path`."""
    lines = (read_text(path) or "").splitlines()
    try:
        return pool in json.loads(lines[-1])["full"]
    except (IndexError, ValueError):  # nothing was said yet, or it is being said
        return False


def checks(health: Dict[str, Any]) -> Dict[str, str]:
    """Code and sentence of each complaint; before luminous they had no codes."""
    rows: Any = health.get("checks")
    if isinstance(rows, dict):
        pairs = [(code, (row.get("summary") or {}).get("message")) for code, row in rows.items()]
    else:
        told = [row.get("summary") for row in health.get("summary") or []]
        pairs = [(str(text), text) for text in told]
    chosen = sorted(pairs, key=lambda pair: str(pair[0]))[:MOST_CHECKS]
    return {str(code)[:LONGEST]: str(text or code)[:LONGEST] for code, text in chosen}

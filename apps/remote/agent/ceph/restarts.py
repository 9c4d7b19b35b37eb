"""Restarting OSDs of this host, one after another, and never two of a cluster at a time."""

import errno
import os
import signal
import subprocess
import tempfile
import time
from typing import Callable, Dict, List, NamedTuple, Optional

from ..host.identity import command_environment
from ..jobs.processes import leave_orphans
from .connection import Connection, connection
from .daemons import ask, process_of
from .turn import forget_ended, turn

COMMAND = 180.0  # seconds that a command which restarts a daemon may take
COMING = 300.0  # until the daemon is back and takes part
HEALTHY = 600.0  # until the cluster says HEALTH_OK
LOOKS = 3  # so often in a row: a daemon that went away is noticed a moment later
TICK = 1.0
RENEW = 20.0
# Complaints that no daemon and no data is concerned by, in Ceph's own words (docs.ceph.com, "Health
# checks"): many clusters have one for years, and a test itself makes the first.
HARMLESS = frozenset(
    (
        *("POOL_APP_NOT_ENABLED", "POOL_NO_REDUNDANCY", "POOL_PG_NUM_NOT_POWER_OF_TWO"),
        *("POOL_TOO_FEW_PGS", "POOL_TOO_MANY_PGS", "TOO_FEW_PGS", "TOO_MANY_PGS", "OSDMAP_FLAGS"),
        *("RECENT_CRASH", "TELEMETRY_CHANGED", "MON_MSGR2_NOT_ENABLED", "LARGE_OMAP_OBJECTS"),
        *("AUTH_INSECURE_GLOBAL_ID_RECLAIM", "AUTH_INSECURE_GLOBAL_ID_RECLAIM_ALLOWED"),
        *("BLUESTORE_NO_PER_POOL_OMAP", "BLUESTORE_NO_PER_PG_OMAP", "BLUEFS_SPILLOVER"),
    )
)
NOT_WELL = "the cluster did not become HEALTH_OK within {:.0f} seconds ({})"
NOT_BACK = "osd.{} was not back {:.0f} seconds after `{}` ({})"
FAILED = "`{}` ended with {}: {}"

# How an OSD is restarted: its cluster, and the commands, of which the last one counts.
Way = NamedTuple("Way", [("fsid", str), ("commands", List[List[str]])])
Wait = Callable[[], None]


def restart(ways: Dict[int, Way]) -> None:
    """Restart these OSDs in turn. Before a daemon that runs is stopped, and after each, the cluster
    says HEALTH_OK. Raises OSError.
    """
    if not ways:
        forget_ended()  # of one that was killed in its turn, before it restarted anything
        return
    with connection() as ceph, turn(ceph) as keep:
        for number, way in sorted(ways.items()):
            pid = process_of(number, way.fsid)
            if pid is not None:
                wait_until_healthy(ceph, keep)
            run(way.commands)
            wait_until_back(number, way, pid, keep)
            wait_until_healthy(ceph, keep)


def run(commands: List[List[str]]) -> None:
    """The commands. Raises OSError where the last one fails.

    The output goes to a file: a daemon that was started by hand keeps it open. No process that is
    started belongs to the job, whose lock, mark and signals it does not get.
    """
    leave_orphans()
    for argv in commands:
        with tempfile.TemporaryFile() as output:
            code = finished(argv, output.fileno())
            output.seek(0)
            said = output.read()[-300:].decode("utf-8", "replace").strip()
        if code and argv is commands[-1]:
            raise OSError(errno.EIO, FAILED.format(" ".join(argv), code, said))


def finished(argv: List[str], output: int) -> int:
    """The exit code of a command, 127 for one that cannot be started, 124 after its time."""
    try:
        return subprocess.run(
            argv,
            env=command_environment("/"),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=hear_signals,
            timeout=COMMAND,
        ).returncode
    except subprocess.TimeoutExpired:
        return 124
    except OSError as error:
        os.write(output, str(error).encode())
        return 127


def hear_signals() -> None:
    """In the new process: a supervisor blocks signals that a daemon has to hear."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def wait_until_back(number: int, way: Way, before: Optional[int], keep: Wait) -> None:
    """Until another process is that OSD and takes part in the cluster."""
    until, due = time.monotonic() + COMING, time.monotonic() + RENEW
    while True:
        pid = process_of(number, way.fsid)
        state = "it does not run" if pid is None else "it is the same process"
        if pid not in (None, before):
            state = state_of(pid)
        if state == "active":
            return
        if time.monotonic() > until:
            words = number, COMING, " ".join(way.commands[-1]), state
            raise OSError(errno.ETIMEDOUT, NOT_BACK.format(*words))
        due = kept(keep, due)
        time.sleep(TICK / 4)


def state_of(pid: Optional[int]) -> str:
    """The state an OSD says it is in: "booting", "active"."""
    try:
        return str(ask(pid or 0, {"prefix": "status"}).get("state"))
    except OSError as error:
        return str(error.strerror)


def wait_until_healthy(ceph: Connection, keep: Wait) -> None:
    """Until the cluster is HEALTH_OK but for what is harmless, and stays so for a moment."""
    until, due, good = time.monotonic() + HEALTHY, time.monotonic() + RENEW, 0
    while True:
        health = ceph.ask("health") or {}
        good = good + 1 if is_well(health) else 0
        if good == LOOKS:
            return
        if time.monotonic() > until:
            raise OSError(errno.ETIMEDOUT, NOT_WELL.format(HEALTHY, checks(health)))
        due = kept(keep, due)
        time.sleep(TICK)


def is_well(health: Dict[str, object]) -> bool:
    """Whether a cluster is HEALTH_OK, or warns of nothing but what is harmless."""
    found, status = health.get("checks"), health.get("status")
    codes = set(found) if isinstance(found, dict) else set()
    return status == "HEALTH_OK" or (status == "HEALTH_WARN" and bool(codes) and codes <= HARMLESS)


def checks(health: Dict[str, object]) -> str:
    """The reasons of a health, as `ceph health` says them."""
    found = health.get("checks")
    rows = found.values() if isinstance(found, dict) else []
    return "; ".join(row["summary"]["message"] for row in rows) or str(health.get("status"))


def kept(keep: Wait, due: float) -> float:
    """When the turn is due to be renewed next, having done so where it was."""
    if time.monotonic() < due:
        return due
    keep()
    return time.monotonic() + RENEW

"""Restart OSDs of this host one by one; never two of a cluster at the same time."""

import errno
import os
import signal
import subprocess
import tempfile
import time
from typing import Callable, Dict, List, NamedTuple, Optional

from ..host.identity import command_environment
from ..processes.start import release_orphans
from .daemons import process_of, socket_command
from .mon_connection import MonConnection, local_cluster
from .restart_lock import remove_ended_keys, restart_lock

COMMAND_SECONDS = 180.0  # for a command that restarts a daemon
BACK_SECONDS = 300.0  # until the daemon is active again
HEALTHY_SECONDS = 600.0  # until HEALTH_OK
HEALTHY_CHECKS = 3  # consecutive: the cluster detects a lost daemon with a delay
POLL_SECONDS = 1.0
RENEW_SECONDS = 20.0
# Health checks that concern neither daemons nor data (docs.ceph.com, "Health checks"): many
# clusters have one for years, and a test raises the first.
HARMLESS = frozenset(
    (
        *("POOL_APP_NOT_ENABLED", "POOL_NO_REDUNDANCY", "POOL_PG_NUM_NOT_POWER_OF_TWO"),
        *("POOL_TOO_FEW_PGS", "POOL_TOO_MANY_PGS", "TOO_FEW_PGS", "TOO_MANY_PGS", "OSDMAP_FLAGS"),
        *("RECENT_CRASH", "TELEMETRY_CHANGED", "MON_MSGR2_NOT_ENABLED", "LARGE_OMAP_OBJECTS"),
        *("AUTH_INSECURE_GLOBAL_ID_RECLAIM", "AUTH_INSECURE_GLOBAL_ID_RECLAIM_ALLOWED"),
        *("BLUESTORE_NO_PER_POOL_OMAP", "BLUESTORE_NO_PER_PG_OMAP", "BLUEFS_SPILLOVER"),
    )
)
NOT_HEALTHY = "the cluster did not become HEALTH_OK within {:.0f} seconds ({})"
NOT_BACK = "osd.{} was not back {:.0f} seconds after `{}` ({})"
FAILED = "`{}` ended with {}: {}"

# How an OSD is restarted: its cluster, and the commands, of which the last one counts.
OsdRestart = NamedTuple("OsdRestart", [("fsid", str), ("commands", List[List[str]])])
Renew = Callable[[], None]


def restart_osds(restarts: Dict[int, OsdRestart]) -> None:
    """Restart these OSDs one by one.

    Requires HEALTH_OK before a running daemon is stopped and after each restart. Raises: OSError.
    """
    if not restarts:
        remove_ended_keys()  # of a process that was killed while it held the lock
        return
    with local_cluster() as ceph, restart_lock(ceph) as renew:
        for number, restart in sorted(restarts.items()):
            pid = process_of(number, restart.fsid)
            if pid is not None:
                wait_until_healthy(ceph, renew)
            run_commands(restart.commands)
            wait_until_back(number, restart, pid, renew)
            wait_until_healthy(ceph, renew)


def run_commands(commands: List[List[str]]) -> None:
    """Run the commands. Raises: OSError if the last one fails.

    The output goes to a file, since a daemon started by hand keeps it open. The processes do not
    belong to the job: they get neither its lock, its variable nor its signal mask.
    """
    release_orphans()
    for argv in commands:
        with tempfile.TemporaryFile() as output:
            code = exit_code(argv, output.fileno())
            output.seek(0)
            output_text = output.read()[-300:].decode("utf-8", "replace").strip()
        if code and argv is commands[-1]:
            raise OSError(errno.EIO, FAILED.format(" ".join(argv), code, output_text))


def exit_code(argv: List[str], output: int) -> int:
    """Return the exit code of a command; 127 if it does not start, 124 after the timeout."""
    try:
        return subprocess.run(
            argv,
            env=command_environment("/"),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=unblock_signals,
            timeout=COMMAND_SECONDS,
        ).returncode
    except subprocess.TimeoutExpired:
        return 124
    except OSError as error:
        os.write(output, str(error).encode())
        return 127


def unblock_signals() -> None:
    """Unblock all signals in the new process; the supervisor blocks some."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def wait_until_back(number: int, restart: OsdRestart, old_pid: Optional[int], renew: Renew) -> None:
    """Wait until another process is that OSD and is active in the cluster. Raises: OSError."""
    deadline, due = time.monotonic() + BACK_SECONDS, time.monotonic() + RENEW_SECONDS
    while True:
        pid = process_of(number, restart.fsid)
        state = "it does not run" if pid is None else "it is the same process"
        if pid not in (None, old_pid):
            state = osd_state(pid)
        if state == "active":
            return
        if time.monotonic() > deadline:
            words = number, BACK_SECONDS, " ".join(restart.commands[-1]), state
            raise OSError(errno.ETIMEDOUT, NOT_BACK.format(*words))
        due = renew_if_due(renew, due)
        time.sleep(POLL_SECONDS / 4)


def osd_state(pid: Optional[int]) -> str:
    """Return the state an OSD reports, such as "booting" or "active"."""
    try:
        return str(socket_command(pid or 0, {"prefix": "status"}).get("state"))
    except OSError as error:
        return str(error.strerror)


def wait_until_healthy(ceph: MonConnection, renew: Renew) -> None:
    """Wait until the cluster is HEALTH_OK, apart from harmless warnings, several times in a row."""
    deadline, due, healthy_count = (
        time.monotonic() + HEALTHY_SECONDS,
        time.monotonic() + RENEW_SECONDS,
        0,
    )
    while True:
        health = ceph.query("health") or {}
        healthy_count = healthy_count + 1 if is_healthy(health) else 0
        if healthy_count == HEALTHY_CHECKS:
            return
        if time.monotonic() > deadline:
            raise OSError(errno.ETIMEDOUT, NOT_HEALTHY.format(HEALTHY_SECONDS, checks_text(health)))
        due = renew_if_due(renew, due)
        time.sleep(POLL_SECONDS)


def is_healthy(health: Dict[str, object]) -> bool:
    """Return True if a cluster is HEALTH_OK or has only harmless warnings."""
    result, status = health.get("checks"), health.get("status")
    codes = set(result) if isinstance(result, dict) else set()
    return status == "HEALTH_OK" or (status == "HEALTH_WARN" and bool(codes) and codes <= HARMLESS)


def checks_text(health: Dict[str, object]) -> str:
    """Return the messages of `ceph health`."""
    result = health.get("checks")
    rows = result.values() if isinstance(result, dict) else []
    return "; ".join(row["summary"]["message"] for row in rows) or str(health.get("status"))


def renew_if_due(renew: Renew, due: float) -> float:
    """Renew the restart lock if it is due; return the next time."""
    if time.monotonic() < due:
        return due
    renew()
    return time.monotonic() + RENEW_SECONDS

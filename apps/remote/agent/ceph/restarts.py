"""Restart daemons of this host one by one; never two of a cluster at the same time."""

import errno
import os
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from ..host.identity import command_environment
from ..processes.start import release_orphans
from .ceph_cli import CephError
from .daemon_names import restart_rank, split_name
from .daemons import READY, daemon_state, joins_quorum, process_of
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
NOT_BACK = "{} was not back {:.0f} seconds after `{}` ({})"
FAILED = "`{}` ended with {}: {}"

# How a daemon is restarted: its cluster, the commands, of which the last one counts, and whether it
# still runs with another value: it may have been started by its service manager meanwhile.
DaemonRestart = NamedTuple(
    "DaemonRestart",
    [("fsid", str), ("commands", List[List[str]]), ("is_due", Callable[[], bool])],
)
Renew = Callable[[], None]


def restart_daemons(restarts: Dict[str, DaemonRestart]) -> None:
    """Restart these daemons one by one: monitors, OSDs, MDS.

    Requires HEALTH_OK before a running daemon is stopped and after each restart. Raises: OSError.
    """
    if not restarts:
        remove_ended_keys()  # of a process that was killed while it held the lock
        return
    names = sorted(restarts, key=restart_rank)
    started = [name for name in names if is_outside_quorum(name, restarts[name])]
    for name in started:
        # Without quorum nobody gets the lock, and this monitor may be the one that is missing.
        restart_outside_quorum(name, restarts[name])
    with local_cluster() as ceph, restart_lock(ceph) as renew:
        if started:
            wait_until_healthy(ceph, renew, "mon")
        for name in names:
            if name not in started:
                restart_one(ceph, name, restarts[name], renew)


def restart_one(ceph: MonConnection, name: str, restart: DaemonRestart, renew: Renew) -> None:
    """Restart one daemon, with a check of the cluster before and after. Raises: OSError."""
    kind = split_name(name)[0]
    pid = process_of(name, restart.fsid)
    if pid is not None:
        wait_until_healthy(ceph, renew, kind)
        if not restart.is_due():
            return
    run_commands(restart.commands)
    # The key cannot be renewed while a restarted monitor leaves the cluster without quorum.
    wait_until_back(name, restart, pid, try_to(renew) if kind == "mon" else renew)
    wait_until_healthy(ceph, renew, kind)


def is_outside_quorum(name: str, restart: DaemonRestart) -> bool:
    """Return True for a monitor that does not run or stays outside of the quorum."""
    return split_name(name)[0] == "mon" and not joins_quorum(name, restart.fsid)


def restart_outside_quorum(name: str, restart: DaemonRestart) -> None:
    """Restart a monitor that is in no quorum, which takes nothing from one. Raises: OSError."""
    pid = process_of(name, restart.fsid)
    run_commands(restart.commands)
    wait_until_back(name, restart, pid, lambda: None)


def try_to(renew: Renew) -> Renew:
    """Return a function that renews the lock and ignores a cluster without quorum."""

    def renew_quietly() -> None:
        with suppress(CephError):
            renew()

    return renew_quietly


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


def wait_until_back(
    name: str, restart: DaemonRestart, old_pid: Optional[int], renew: Renew
) -> None:
    """Wait until another process is that daemon and takes part in the cluster. Raises: OSError."""
    deadline, due = time.monotonic() + BACK_SECONDS, time.monotonic() + RENEW_SECONDS
    kind = split_name(name)[0]
    while True:
        pid = process_of(name, restart.fsid)
        state = "it does not run" if pid is None else "it is the same process"
        if pid is not None and pid != old_pid:
            state = daemon_state(kind, pid)
        if state in READY[kind]:
            return
        if time.monotonic() > deadline:
            words = name, BACK_SECONDS, " ".join(restart.commands[-1]), state
            raise OSError(errno.ETIMEDOUT, NOT_BACK.format(*words))
        due = renew_if_due(renew, due)
        time.sleep(POLL_SECONDS / 4)


def wait_until_healthy(ceph: MonConnection, renew: Renew, kind: str = "osd") -> None:
    """Wait until the cluster is HEALTH_OK, apart from harmless warnings, several times in a row.

    `kind`: of the restarted daemon. All monitors must be in the quorum, or all ranks active.
    """
    deadline, due, healthy_count = (
        time.monotonic() + HEALTHY_SECONDS,
        time.monotonic() + RENEW_SECONDS,
        0,
    )
    while True:
        reason = unhealthy_reason(ceph, kind)
        healthy_count = 0 if reason else healthy_count + 1
        if healthy_count == HEALTHY_CHECKS:
            return
        if time.monotonic() > deadline:
            raise OSError(errno.ETIMEDOUT, NOT_HEALTHY.format(HEALTHY_SECONDS, reason))
        due = renew_if_due(renew, due)
        time.sleep(POLL_SECONDS)


def unhealthy_reason(ceph: MonConnection, kind: str) -> str:
    """Return why no daemon of this kind may be restarted now; "" if one may."""
    try:
        health = ceph.query("health") or {}
        if not is_healthy(health):
            return checks_text(health) or str(health.get("status"))
        if kind == "mon":
            return quorum_fault(ceph.query("quorum_status") or {})
        return ranks_fault(ceph.query("fs dump") or {}) if kind == "mds" else ""
    except CephError as error:  # a cluster whose monitors elect answers late, or not at all
        return str(error)


def quorum_fault(status: Dict[str, Any]) -> str:
    """Return which monitors are not in the quorum, from `ceph quorum_status`; "" if all are."""
    names = [str(row.get("name")) for row in (status.get("monmap") or {}).get("mons") or []]
    present = status.get("quorum_names") or []
    missing = [name for name in names if name not in present]
    return "mon.{} is not in the quorum".format(missing[0]) if missing else ""


def ranks_fault(dump: Dict[str, Any]) -> str:
    """Return which rank of a file system is not active, from `ceph fs dump`; "" if all are."""
    for row in dump.get("filesystems") or []:
        mdsmap = row.get("mdsmap") or {}
        active = {
            one.get("rank")
            for one in (mdsmap.get("info") or {}).values()
            if one.get("state") == "up:active"
        }
        for rank in mdsmap.get("in") or []:
            if rank not in active:
                return "rank {} of {} is not active".format(rank, mdsmap.get("fs_name"))
    return ""


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

"""Cluster-wide lock for restarting daemons, stored in `ceph config-key`.

A host writes its own key and proceeds only if there is no other; otherwise it removes its key and
waits. Writes are ordered before reads that do not see them, so two hosts cannot both proceed.

A key names host, boot, PID namespace and process. Keys of ended processes are removed by the next
process on that host; keys that nobody renewed for STALE_SECONDS by any waiting host.
"""

import errno
import os
import random
import re
import time
from contextlib import contextmanager, suppress
from typing import Callable, Dict, Iterator, List, Tuple

from ..files import read_text
from ..host.identity import boot_id
from .ceph_cli import CephError
from .mon_connection import MonConnection, local_cluster

PREFIX = "benchlab/restart/"
STALE_SECONDS = 300.0  # seconds
TIMEOUT_SECONDS = 7200.0
TIMED_OUT = "other hosts of the cluster restarted daemons for {:.0f} minutes"
KeyAges = Dict[str, Tuple[str, float]]


@contextmanager
def restart_lock(ceph: MonConnection) -> Iterator[Callable[[], None]]:
    """Hold the lock; yields the function that renews it. Raises: OSError."""
    key = "{}{}-{}".format(PREFIX, process_name(), os.urandom(6).hex())
    acquire(ceph, key)
    try:
        yield lambda: write_key(ceph, key)
    finally:
        remove_keys(ceph, [key])


def acquire(ceph: MonConnection, key: str) -> None:
    """Wait until this key is the only one. Raises: OSError after the timeout."""
    deadline, ages = time.monotonic() + TIMEOUT_SECONDS, {}  # type: float, KeyAges
    while True:
        others = other_keys(ceph, key)
        if not others:
            write_key(ceph, key)
            others = other_keys(ceph, key)
            if not others:
                return
            remove_keys(ceph, [key])
        if time.monotonic() > deadline:
            raise OSError(errno.ETIMEDOUT, TIMED_OUT.format(TIMEOUT_SECONDS / 60))
        remove_keys(ceph, [name for name in others if has_ended(name)])
        ages = drop_stale(ceph, others, ages)
        time.sleep(random.uniform(0.3, 2.0))


def drop_stale(ceph: MonConnection, others: Dict[str, str], ages: KeyAges) -> KeyAges:
    """Update the ages of other keys and remove those that are too old."""
    now = time.monotonic()
    result = {
        name: ages[name] if name in ages and ages[name][0] == text else (text, now)
        for name, text in others.items()
    }
    remove_keys(
        ceph, [name for name, (_text, since) in result.items() if now - since > STALE_SECONDS]
    )
    return result


def process_name() -> str:
    """Return host name, boot, PID namespace, PID and start time of this process."""
    pid = os.getpid()
    return "-".join((os.uname()[1], namespace_name(), str(pid), start_ticks(pid)))


def namespace_name() -> str:
    """Return boot and PID namespace, within which a PID is unique."""
    return "{}-{}".format(boot_id().replace("-", ""), os.stat("/proc/self/ns/pid").st_ino)


def start_ticks(pid: int) -> str:
    """Return the start of a process in clock ticks since boot; "" if it does not run (proc(5))."""
    fields = (read_text("/proc/{}/stat".format(pid)) or "").rpartition(")")[2].split()
    return fields[19] if fields and fields[0] not in "ZX" else ""


def has_ended(key: str) -> bool:
    """Return True if a key belongs to an ended process of this host."""
    match = re.search("-{}-([0-9]+)-([0-9]+)-[0-9a-f]+$".format(namespace_name()), key)
    return match is not None and start_ticks(int(match.group(1))) != match.group(2)


def remove_keys(ceph: MonConnection, names: List[str]) -> None:
    """Remove keys."""
    ceph.send_all([{"prefix": "config-key rm", "key": name} for name in names])


def remove_ended_keys() -> None:
    """Remove the keys of ended processes of this host; ignores an unreachable cluster."""
    with suppress(OSError), local_cluster() as ceph:
        remove_keys(ceph, [name for name in all_keys(ceph) if has_ended(name)])


def write_key(ceph: MonConnection, key: str) -> None:
    """Write the key with a new random value. Raises: CephError."""
    answer = ceph.send({"prefix": "config-key set", "key": key, "val": os.urandom(8).hex()})
    if answer.error:
        raise CephError(answer.error)


def other_keys(ceph: MonConnection, key: str) -> Dict[str, str]:
    """Return every restart key of the cluster except this one."""
    return {name: text for name, text in all_keys(ceph).items() if name != key}


def all_keys(ceph: MonConnection) -> Dict[str, str]:
    """Return every restart key of the cluster."""
    result = ceph.query("config-key dump", key=PREFIX) or {}
    return {name: str(text) for name, text in result.items() if name.startswith(PREFIX)}

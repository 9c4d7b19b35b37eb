"""One host of a cluster at a time restarts daemons, also after a crash: whoever wants to writes a
key of its own into the cluster and goes on only if there is no other (every write stands before any
read that does not see it, so two cannot both be alone); else it takes its key away and waits. While
there is another it writes none: many hosts may wait, and every write is the monitors' to agree on.

A key says which process of which host it is of. One whose process ended without taking it away is
removed by whoever comes next on that host. One that nobody has renewed for a while, by the clock of
whoever waits, is of a host that is gone.
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
from .command import CephError
from .connection import Connection, connection

PREFIX = "benchlab/restart/"
STALE = 300.0  # seconds
PATIENCE = 7200.0
WAITED = "other hosts of the cluster restarted daemons for {:.0f} minutes"
Others = Dict[str, Tuple[str, float]]


@contextmanager
def turn(ceph: Connection) -> Iterator[Callable[[], None]]:
    """This host's turn, and what is to be called every now and then to keep it. Raises OSError."""
    key = "{}{}-{}".format(PREFIX, holder(), os.urandom(6).hex())
    wait_for(ceph, key)
    try:
        yield lambda: write(ceph, key)
    finally:
        forget(ceph, [key])


def wait_for(ceph: Connection, key: str) -> None:
    """Until this key is the only one."""
    until, seen = time.monotonic() + PATIENCE, {}  # type: float, Others
    while True:
        others = keys_besides(ceph, key)
        if not others:
            write(ceph, key)
            others = keys_besides(ceph, key)
            if not others:
                return
            forget(ceph, [key])
        if time.monotonic() > until:
            raise OSError(errno.ETIMEDOUT, WAITED.format(PATIENCE / 60))
        forget(ceph, [name for name in others if is_over(name)])
        seen = noted(ceph, others, seen)
        time.sleep(random.uniform(0.3, 2.0))


def noted(ceph: Connection, others: Dict[str, str], seen: Others) -> Others:
    """Since when each of the others is as it is; those that are so for too long are removed."""
    moment = time.monotonic()
    found = {
        name: seen[name] if name in seen and seen[name][0] == text else (text, moment)
        for name, text in others.items()
    }
    forget(ceph, [name for name, (_text, since) in found.items() if moment - since > STALE])
    return found


def holder() -> str:
    """This process: its host's name, the boot and the PID namespace, its number and its start."""
    pid = os.getpid()
    return "-".join((os.uname()[1], world(), str(pid), started(pid)))


def world() -> str:
    """The boot and the PID namespace, in which the number of a process is its own."""
    return "{}-{}".format(boot_id().replace("-", ""), os.stat("/proc/self/ns/pid").st_ino)


def started(pid: int) -> str:
    """The start of a process in ticks of its boot; nothing where it does not run (proc(5))."""
    fields = (read_text("/proc/{}/stat".format(pid)) or "").rpartition(")")[2].split()
    return fields[19] if fields and fields[0] not in "ZX" else ""


def is_over(key: str) -> bool:
    """Whether a key is of a process of this host that has ended."""
    found = re.search("-{}-([0-9]+)-([0-9]+)-[0-9a-f]+$".format(world()), key)
    return found is not None and started(int(found.group(1))) != found.group(2)


def forget(ceph: Connection, names: List[str]) -> None:
    """Remove keys."""
    ceph.answers([{"prefix": "config-key rm", "key": name} for name in names])


def forget_ended() -> None:
    """Remove the keys of processes of this host that have ended. Where the cluster does not answer,
    whoever comes next does it.
    """
    with suppress(OSError), connection() as ceph:
        forget(ceph, [name for name in keys(ceph) if is_over(name)])


def write(ceph: Connection, key: str) -> None:
    """The key with a value it never had."""
    answer = ceph.answer({"prefix": "config-key set", "key": key, "val": os.urandom(8).hex()})
    if answer.error:
        raise CephError(answer.error)


def keys_besides(ceph: Connection, key: str) -> Dict[str, str]:
    """Every such key of the cluster but this one."""
    return {name: text for name, text in keys(ceph).items() if name != key}


def keys(ceph: Connection) -> Dict[str, str]:
    """Every such key of the cluster."""
    found = ceph.ask("config-key dump", key=PREFIX) or {}
    return {name: str(text) for name, text in found.items() if name.startswith(PREFIX)}

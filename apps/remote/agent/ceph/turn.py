"""One host of a cluster at a time restarts daemons, also after a crash: whoever wants to writes a
key of its own into the cluster and goes on only if there is no other (every write stands before any
read that does not see it, so two cannot both be alone); else it takes its key away and waits.

A key that nobody has renewed for a while, by the clock of whoever waits, is of a host that is gone.
"""

import errno
import json
import os
import random
import time
from contextlib import contextmanager
from typing import Callable, Dict, Iterator, Tuple

from .cluster import ask_cluster

PREFIX = "benchlab/restart/"
STALE = 300.0  # seconds
PATIENCE = 7200.0
WAITED = "other hosts of the cluster restarted daemons for {:.0f} minutes"
Others = Dict[str, Tuple[str, float]]


@contextmanager
def turn() -> Iterator[Callable[[], None]]:
    """This host's turn, and what is to be called every now and then to keep it. Raises OSError."""
    key = "{}{}-{}".format(PREFIX, os.uname()[1], os.urandom(6).hex())
    wait_for(key)
    try:
        yield lambda: write(key)
    finally:
        ask_cluster([{"prefix": "config-key rm", "key": key}])


def wait_for(key: str) -> None:
    """Until this key is the only one."""
    until, seen = time.monotonic() + PATIENCE, {}  # type: float, Others
    while True:
        write(key)
        others = {name: text for name, text in keys().items() if name != key}
        if not others:
            return
        ask_cluster([{"prefix": "config-key rm", "key": key}])
        if time.monotonic() > until:
            raise OSError(errno.ETIMEDOUT, WAITED.format(PATIENCE / 60))
        seen = noted(others, seen)
        time.sleep(random.uniform(0.3, 2.0))


def noted(others: Dict[str, str], seen: Others) -> Others:
    """Since when each of the others is as it is; those that are so for too long are removed."""
    moment = time.monotonic()
    found = {
        name: seen[name] if name in seen and seen[name][0] == text else (text, moment)
        for name, text in others.items()
    }
    gone = [name for name, (_text, since) in found.items() if moment - since > STALE]
    ask_cluster([{"prefix": "config-key rm", "key": name} for name in gone])
    return found


def write(key: str) -> None:
    """The key with a value it never had."""
    (said,) = ask_cluster([{"prefix": "config-key set", "key": key, "val": os.urandom(8).hex()}])
    if said.error:
        raise OSError(errno.EIO, said.error)


def keys() -> Dict[str, str]:
    """Every such key of the cluster."""
    (said,) = ask_cluster([{"prefix": "config-key dump", "key": PREFIX}])
    if said.error:
        raise OSError(errno.EIO, said.error)
    found = json.loads(said.text or "{}")
    return {name: str(text) for name, text in found.items() if name.startswith(PREFIX)}

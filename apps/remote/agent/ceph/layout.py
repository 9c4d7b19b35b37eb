"""The layout below a pool of an attempt's own, and waiting until it can be measured."""

import time
from typing import Dict

from .command import Ceph, CephError

APPLICATION = "benchlab"
KEY = "attempt"
CLEAN = 300.0  # seconds until every placement group is active and clean
TICK = 0.5
CONFIRMED = "--yes-i-really-mean-it"


def create(ceph: Ceph, name: str, options: Dict[str, str]) -> None:
    """The pool with what it stands on: an erasure code profile, or a rule of its own."""
    words, count = ["osd", "pool", "create", name], options["pg_num"]
    domain = options.get("domain", "host")
    if "k" in options:
        code = ["k=" + options["k"], "m=" + options["m"], "crush-failure-domain=" + domain]
        ceph.do("osd", "erasure-code-profile", "set", name, *code)
        ceph.do(*words + [count, count, "erasure", name])
    elif domain == "osd":
        ceph.do("osd", "crush", "rule", "create-replicated", name, "default", "osd")
        ceph.do(*words + [count, count, "replicated", name])
    else:
        ceph.do(*words + [count, count, "replicated"])


def prepare(ceph: Ceph, name: str, attempt: str, options: Dict[str, str]) -> None:
    """Mark it first; then its size, and no change of its placement groups while it is measured."""
    ceph.do("osd", "pool", "application", "enable", name, APPLICATION)
    ceph.do("osd", "pool", "application", "set", name, APPLICATION, KEY, attempt)
    if "replicas" in options:
        words = ["osd", "pool", "set", name, "size", options["replicas"]]
        ceph.do(*words + ([CONFIRMED] if options["replicas"] == "1" else []))
    try:
        ceph.do("osd", "pool", "set", name, "pg_autoscale_mode", "off")
    except CephError:
        return  # before nautilus there was none


def wait_until_clean(ceph: Ceph, pool: str, count: int) -> None:
    """Until all its placement groups are active and clean. Raises CephError with their states."""
    until = time.monotonic() + CLEAN
    while True:
        found = states(ceph, pool)
        clean = sum(n for state, n in found.items() if {"active", "clean"} <= set(state.split("+")))
        if clean >= count:
            return
        if time.monotonic() > until:
            said = ", ".join("{} {}".format(n, state) for state, n in sorted(found.items()))
            sentence = (
                "Pool {}: not active and clean after {:.0f} seconds ({}). Are there enough {}"
            )
            where = "hosts or OSDs for its copies or chunks?"
            raise CephError(sentence.format(pool, CLEAN, said, where))
        time.sleep(TICK)


def states(ceph: Ceph, pool: str) -> Dict[str, int]:
    """The number of placement groups in each state; before nautilus the answer is the list."""
    said = ceph.ask("pg", "ls-by-pool", pool) or []
    found: Dict[str, int] = {}
    for group in said.get("pg_stats", []) if isinstance(said, dict) else said:
        found[group["state"]] = found.get(group["state"], 0) + 1
    return found

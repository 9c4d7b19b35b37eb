"""The layout below a pool of an attempt's own, and waiting until it can be measured."""

import time
from typing import Any, Dict

from .command import CephError
from .connection import Connection

APPLICATION = "benchlab"
KEY = "attempt"
CLEAN = 300.0  # seconds until every placement group is active and clean
TICK = 0.5


def create(ceph: Connection, name: str, options: Dict[str, str]) -> None:
    """The pool with what it stands on: an erasure code profile, or a rule of its own."""
    count, domain = int(options["pg_num"]), options.get("domain", "host")
    pool: Dict[str, Any] = {"pool": name, "pg_num": count, "pgp_num": count}
    if "k" in options:
        code = ["k=" + options["k"], "m=" + options["m"], "crush-failure-domain=" + domain]
        ceph.ask("osd erasure-code-profile set", name=name, profile=code)
        pool.update(pool_type="erasure", erasure_code_profile=name)
    elif domain == "osd":
        ceph.ask("osd crush rule create-replicated", name=name, root="default", type="osd")
        pool.update(pool_type="replicated", rule=name)
    else:
        pool.update(pool_type="replicated")
    ceph.ask("osd pool create", **pool)


def prepare(ceph: Connection, name: str, attempt: str, options: Dict[str, str]) -> None:
    """Mark it first; then its size, and no change of its placement groups while it is measured."""
    where = {"pool": name, "app": APPLICATION}
    ceph.ask("osd pool application enable", **where)
    ceph.ask("osd pool application set", **where, key=KEY, value=attempt)
    if "replicas" in options:
        copies = options["replicas"]
        single = {"yes_i_really_mean_it": True} if copies == "1" else {}
        ceph.ask("osd pool set", pool=name, var="size", val=copies, **single)
    try:
        ceph.ask("osd pool set", pool=name, var="pg_autoscale_mode", val="off")
    except CephError:
        return  # before nautilus there was none


def wait_until_clean(ceph: Connection, pool: str, count: int) -> None:
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


def states(ceph: Connection, pool: str) -> Dict[str, int]:
    """The number of placement groups in each state; before nautilus the answer is the list."""
    said = ceph.ask("pg ls-by-pool", poolstr=pool) or []
    found: Dict[str, int] = {}
    for group in said.get("pg_stats", []) if isinstance(said, dict) else said:
        found[group["state"]] = found.get(group["state"], 0) + 1
    return found

"""Create an ephemeral pool and wait until it can be measured."""

import time
from typing import Any, Dict

from .ceph_cli import CephError
from .mon_connection import MonConnection

APPLICATION = "benchlab"
KEY = "attempt"
CLEAN_SECONDS = 300.0  # seconds until every placement group is active and clean
NOT_CLEAN = (
    "Pool {}: not active and clean after {:.0f} seconds ({}). Are there enough hosts or OSDs for "
    "its copies or chunks?"
)
POLL_SECONDS = 0.5


def create(ceph: MonConnection, name: str, options: Dict[str, str]) -> None:
    """Create the pool with its erasure code profile or CRUSH rule."""
    count, domain = int(options["pg_num"]), options.get("domain", "host")
    pool: Dict[str, Any] = {"pool": name, "pg_num": count, "pgp_num": count}
    if "k" in options:
        code = ["k=" + options["k"], "m=" + options["m"], "crush-failure-domain=" + domain]
        ceph.query("osd erasure-code-profile set", name=name, profile=code)
        pool.update(pool_type="erasure", erasure_code_profile=name)
    elif domain == "osd":
        ceph.query("osd crush rule create-replicated", name=name, root="default", type="osd")
        pool.update(pool_type="replicated", rule=name)
    else:
        pool.update(pool_type="replicated")
    ceph.query("osd pool create", **pool)


def prepare(ceph: MonConnection, name: str, attempt: str, options: Dict[str, str]) -> None:
    """Mark the pool as the attempt's; then set its size and disable placement group autoscaling."""
    arguments = {"pool": name, "app": APPLICATION}
    ceph.query("osd pool application enable", **arguments)
    ceph.query("osd pool application set", **arguments, key=KEY, value=attempt)
    if "replicas" in options:
        copies = options["replicas"]
        single = {"yes_i_really_mean_it": True} if copies == "1" else {}
        ceph.query("osd pool set", pool=name, var="size", val=copies, **single)
    try:
        ceph.query("osd pool set", pool=name, var="pg_autoscale_mode", val="off")
    except CephError:
        return  # Nautilus introduced it


def wait_until_clean(ceph: MonConnection, pool: str, count: int) -> None:
    """Wait until all placement groups are active and clean. Raises: CephError with their states."""
    deadline = time.monotonic() + CLEAN_SECONDS
    while True:
        result = pg_states(ceph, pool)
        clean = sum(
            n for state, n in result.items() if {"active", "clean"} <= set(state.split("+"))
        )
        if clean >= count:
            return
        if time.monotonic() > deadline:
            state_text = ", ".join("{} {}".format(n, state) for state, n in sorted(result.items()))
            raise CephError(NOT_CLEAN.format(pool, CLEAN_SECONDS, state_text))
        time.sleep(POLL_SECONDS)


def pg_states(ceph: MonConnection, pool: str) -> Dict[str, int]:
    """Return the number of placement groups by state; {} while the manager lacks the new pool.

    Before Nautilus the response is a list.
    """
    response = ceph.send({"prefix": "pg ls-by-pool", "format": "json", "poolstr": pool})
    if "ENOENT" in response.error:  # the manager's map is older than the monitors'
        return {}
    groups = response.json() or []
    result: Dict[str, int] = {}
    for group in groups.get("pg_stats", []) if isinstance(groups, dict) else groups:
        result[group["state"]] = result.get(group["state"], 0) + 1
    return result

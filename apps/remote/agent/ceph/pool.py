"""The built-in command `@ceph-pool`: create and delete an ephemeral pool of an attempt.

An existing pool of that name is never touched. The pool is created under the attempt's own name,
marked, then renamed; renaming fails if the name exists, so of two attempts one wins. Only marked
pools are deleted.
"""

import json
import re
import time
from typing import Any, Dict, List

from ..files import write_all
from .ceph_cli import CephError, run_ceph
from .mon_connection import MonConnection
from .pool_setup import APPLICATION, KEY, create, prepare, wait_until_clean

NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")
OPTIONS = re.compile(r"^(?:(?:pg_num|replicas|k|m)=[1-9][0-9]{0,5}|domain=(?:host|osd))$")
DEFAULTS = {"pg_num": "64", "m": "1"}
POOL_EXISTS = (
    "Pool {} exists. benchlab was to make it and delete it afterwards, so it was not touched: "
    "choose another name, or register it as an existing pool."
)
DELETION_DISABLED = (
    "This cluster deletes no pools, so none was made: set it with "
    "ceph config set mon mon_allow_pool_delete true"
)


def ceph_pool(words: List[str], environment: Dict[str, str]) -> int:
    """Run the command.

    `make NAME ATTEMPT [pg_num=64] [replicas=2] [k=2 m=1] [domain=osd]` or `delete NAME ATTEMPT`.
    Prints one JSON line; on errors a sentence on stderr and exit code 1.
    """
    started = time.monotonic()
    try:
        with MonConnection(environment) as ceph:
            done = run_words(ceph, words)
    except CephError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    done["seconds"] = round(time.monotonic() - started, 3)
    write_all(1, (json.dumps({"ceph_pool": done}, sort_keys=True) + "\n").encode())
    return 0


def run_words(ceph: MonConnection, words: List[str]) -> Dict[str, Any]:
    """Run the command and return its result. Raises: CephError."""
    if len(words) < 3 or not (NAME.match(words[1]) and NAME.match(words[2])):
        raise CephError("@ceph-pool: make or delete, a pool's name, an attempt.")
    verb, pool, attempt = words[:3]
    if verb == "make" and all(OPTIONS.match(word) for word in words[3:]):
        create_pool(
            ceph, pool, attempt, dict(DEFAULTS, **dict(word.split("=") for word in words[3:]))
        )
        return {"made": pool}
    if verb == "delete" and len(words) == 3:
        return {"deleted": delete_pools(ceph, attempt)}
    raise CephError("@ceph-pool does not understand {}.".format(" ".join(words)))


def own_name(attempt: str) -> str:
    """Return the initial name of the attempt's pool, rule and profile."""
    return "{}-{}".format(APPLICATION, attempt)


def create_pool(ceph: MonConnection, pool: str, attempt: str, options: Dict[str, str]) -> None:
    """Create a marked pool and wait until it is clean.

    Raises: CephError; `delete` removes what was created.
    """
    if any(row["pool_name"] == pool for row in pools(ceph)):
        raise CephError(POOL_EXISTS.format(pool))
    if is_deletion_disabled(ceph):
        raise CephError(DELETION_DISABLED)
    create(ceph, own_name(attempt), options)
    prepare(ceph, own_name(attempt), attempt, options)
    try:
        ceph.query("osd pool rename", srcpool=own_name(attempt), destpool=pool)
    except CephError as error:
        raise CephError(
            POOL_EXISTS.format(pool) if "EEXIST" in str(error) else str(error)
        ) from None
    wait_until_clean(ceph, pool, int(options["pg_num"]))


def is_deletion_disabled(ceph: MonConnection) -> bool:
    """Return True if a monitor does not allow to delete pools.

    Only the `ceph` program reaches every monitor.
    """
    try:
        words = ["ceph", "tell", "mon.*", "config", "get", "mon_allow_pool_delete"]
        output = run_ceph(words, ceph.environment)
    except CephError:
        return False
    return bool(re.search(r'"mon_allow_pool_delete": *"false"', output))


def delete_pools(ceph: MonConnection, attempt: str) -> List[str]:
    """Delete everything the attempt created and return the pools' names. Raises: CephError."""
    name, deleted = own_name(attempt), []
    for pool in pools(ceph):
        metadata = (pool.get("application_metadata") or {}).get(APPLICATION) or {}
        if metadata.get(KEY) == attempt or pool["pool_name"] == name:
            arguments = {"pool": pool["pool_name"], "pool2": pool["pool_name"]}
            ceph.query("osd pool delete", **arguments, yes_i_really_really_mean_it=True)
            deleted.append(pool["pool_name"])
    ceph.query("osd crush rule rm", name=name)
    ceph.query("osd erasure-code-profile rm", name=name)
    return deleted


def pools(ceph: MonConnection) -> List[Dict[str, Any]]:
    """Return every pool with its settings."""
    return list(ceph.query("osd pool ls", detail="detail") or [])

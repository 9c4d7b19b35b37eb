"""The builtin command `@ceph-pool`: a pool that an attempt makes for itself and deletes after it.

A pool of that name that was there before is never touched. A new one begins under the attempt's
own name, is marked there as the attempt's, and is then renamed: the monitors rename no pool onto
another, so of two attempts one wins. Only what bears the mark is ever deleted.
"""

import json
import re
import time
from typing import Any, Dict, List

from ..files import write_all
from .command import CephError, run_ceph
from .connection import Connection
from .layout import APPLICATION, KEY, create, prepare, wait_until_clean

NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")
OPTIONS = re.compile(r"^(?:(?:pg_num|replicas|k|m)=[1-9][0-9]{0,5}|domain=(?:host|osd))$")
DEFAULTS = {"pg_num": "64", "m": "1"}
TAKEN = (
    "Pool {} exists. benchlab was to make it and delete it afterwards, so it was not touched: "
    "choose another name, or name it as a pool that is found."
)
NO_DELETING = (
    "This cluster deletes no pools, so none was made: set it with "
    "ceph config set mon mon_allow_pool_delete true"
)


def ceph_pool(words: List[str], environment: Dict[str, str]) -> int:
    """`make NAME ATTEMPT [pg_num=64] [replicas=2] [k=2 m=1] [domain=osd]` or `delete NAME ATTEMPT`.

    Prints one line with a document, or a sentence on stderr with exit code 1.
    """
    started = time.monotonic()
    try:
        with Connection(environment) as ceph:
            done = act(ceph, words)
    except CephError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    done["seconds"] = round(time.monotonic() - started, 3)
    write_all(1, (json.dumps({"ceph_pool": done}, sort_keys=True) + "\n").encode())
    return 0


def act(ceph: Connection, words: List[str]) -> Dict[str, Any]:
    """Do what the words say; what was done. Raises CephError."""
    if len(words) < 3 or not (NAME.match(words[1]) and NAME.match(words[2])):
        raise CephError("@ceph-pool: make or delete, a pool's name, an attempt.")
    verb, pool, attempt = words[:3]
    if verb == "make" and all(OPTIONS.match(word) for word in words[3:]):
        make(ceph, pool, attempt, dict(DEFAULTS, **dict(word.split("=") for word in words[3:])))
        return {"made": pool}
    if verb == "delete" and len(words) == 3:
        return {"deleted": delete(ceph, attempt)}
    raise CephError("@ceph-pool does not understand {}.".format(" ".join(words)))


def own_name(attempt: str) -> str:
    """The name of everything of an attempt until, or unless, it gets another one."""
    return "{}-{}".format(APPLICATION, attempt)


def make(ceph: Connection, pool: str, attempt: str, options: Dict[str, str]) -> None:
    """A marked pool of that name, active and clean. Raises CephError; `delete` then removes what
    was made.
    """
    if any(known["pool_name"] == pool for known in pools(ceph)):
        raise CephError(TAKEN.format(pool))
    if deletes_nothing(ceph):
        raise CephError(NO_DELETING)
    create(ceph, own_name(attempt), options)
    prepare(ceph, own_name(attempt), attempt, options)
    try:
        ceph.ask("osd pool rename", srcpool=own_name(attempt), destpool=pool)
    except CephError as error:
        raise CephError(TAKEN.format(pool) if "EEXIST" in str(error) else str(error)) from None
    wait_until_clean(ceph, pool, int(options["pg_num"]))


def deletes_nothing(ceph: Connection) -> bool:
    """Whether a monitor answers that no pool can be deleted. Only the `ceph` command reaches every
    monitor.
    """
    try:
        words = ["ceph", "tell", "mon.*", "config", "get", "mon_allow_pool_delete"]
        output = run_ceph(words, ceph.environment)
    except CephError:
        return False
    return bool(re.search(r'"mon_allow_pool_delete": *"false"', output))


def delete(ceph: Connection, attempt: str) -> List[str]:
    """Everything the attempt made, whatever its name by now; the pools' names. Raises CephError."""
    name, deleted = own_name(attempt), []
    for pool in pools(ceph):
        marks = (pool.get("application_metadata") or {}).get(APPLICATION) or {}
        if marks.get(KEY) == attempt or pool["pool_name"] == name:
            both = {"pool": pool["pool_name"], "pool2": pool["pool_name"]}
            ceph.ask("osd pool delete", **both, yes_i_really_really_mean_it=True)
            deleted.append(pool["pool_name"])
    ceph.ask("osd crush rule rm", name=name)
    ceph.ask("osd erasure-code-profile rm", name=name)
    return deleted


def pools(ceph: Connection) -> List[Dict[str, Any]]:
    """Every pool with its settings."""
    return list(ceph.ask("osd pool ls", detail="detail") or [])

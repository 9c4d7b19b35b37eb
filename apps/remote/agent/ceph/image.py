"""The builtin command `@rbd-image`: an image in a pool that an attempt makes and removes.

An image's name begins with the attempt's own, so that none of anybody else is ever written to or
removed; its size is read back before anything uses it.
"""

import json
import re
import time
from typing import Any, Dict, List, Optional

from ..files import write_all
from .command import PATIENCE, CephError, output_of
from .connection import Connection
from .layout import APPLICATION
from .pool import NAME

ATTEMPT = re.compile(r"^[0-9a-f]{12}$")
NUMBER = re.compile(r"^[0-9]{1,4}$")
OPTIONS = re.compile(r"^(?:size|object_size)=[1-9][0-9]{0,18}$|^shared=1$")
MIB = 1 << 20
# A client that was killed is a watcher of its image until its lease is over (30 s by default).
REMOVING, TICK = 90.0, 2.0
COUNTED = 20.0  # seconds until the manager has counted a new pool
EXISTS = "Image {}/{} exists already. It was not touched."
TOO_LARGE = "Pool {} has room for {} bytes more, and the image needs {}."
OTHER = "Image {}/{} was made with {} bytes and has {}."


def rbd_image(words: List[str], environment: Dict[str, str]) -> int:
    """`make POOL ATTEMPT CLIENT size=BYTES [object_size=BYTES] [shared=1]`, `delete POOL ATTEMPT`.

    Prints one line with a document, or a sentence on stderr with exit code 1.
    """
    started = time.monotonic()
    try:
        done = act(environment, words)
    except CephError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    done["seconds"] = round(time.monotonic() - started, 3)
    write_all(1, (json.dumps({"rbd_image": done}, sort_keys=True) + "\n").encode())
    return 0


def act(environment: Dict[str, str], words: List[str]) -> Dict[str, Any]:
    """Do what the words say; what was done. Raises CephError."""
    named = len(words) >= 3 and NAME.match(words[1]) and ATTEMPT.match(words[2])
    if named and words[0] == "delete" and len(words) == 3:
        return {"deleted": delete(environment, words[1], words[2])}
    if named and words[0] == "make" and len(words) > 4 and NUMBER.match(words[3]):
        if all(OPTIONS.match(word) for word in words[4:]):
            options = dict(word.split("=") for word in words[4:])
            name = own_names(words[2]) + words[3]
            return {"made": name, "size": make(environment, words[1], name, options)}
    raise CephError("@rbd-image does not understand {}.".format(" ".join(words)))


def own_names(attempt: str) -> str:
    """The beginning of the names of all images of an attempt."""
    return "{}-{}-".format(APPLICATION, attempt)


def make(environment: Dict[str, str], pool: str, name: str, options: Dict[str, str]) -> int:
    """An image of that size in bytes, as it is read back. Raises CephError."""
    size = int(options.get("size", "0"))
    with Connection(environment) as ceph:
        available = free_space_bytes(ceph, pool)
    if available is not None and size > available:
        raise CephError(TOO_LARGE.format(pool, available, size))
    if name in images(environment, pool):
        raise CephError(EXISTS.format(pool, name))
    words = ["create", "--size", "{}M".format(-(-size // MIB)), "--no-progress"]
    if "object_size" in options:
        words += ["--object-size", options["object_size"]]
    if "shared" in options:
        words += ["--image-shared"]
    rbd(environment, words + ["{}/{}".format(pool, name)])
    found = json.loads(rbd(environment, ["info", "--format", "json", "{}/{}".format(pool, name)]))
    if found.get("name") != name or found.get("size") != size:
        raise CephError(OTHER.format(pool, name, size, found.get("size")))
    return size


def delete(environment: Dict[str, str], pool: str, attempt: str) -> List[str]:
    """Every image of the attempt; their names. Raises CephError with rbd's last words."""
    names = [name for name in images(environment, pool) if name.startswith(own_names(attempt))]
    until = time.monotonic() + REMOVING
    for name in names:
        remove(environment, pool, name, until)
    return names


def remove(environment: Dict[str, str], pool: str, name: str, until: float) -> None:
    """Remove one, again while a client that was killed still watches it. Raises CephError."""
    while True:
        try:
            rbd(environment, ["rm", "--no-progress", "{}/{}".format(pool, name)])
        except CephError:
            if time.monotonic() > until:
                raise
            time.sleep(TICK)
        else:
            return


def images(environment: Dict[str, str], pool: str) -> List[str]:
    """The names of all images in a pool. Raises CephError."""
    return [str(name) for name in json.loads(rbd(environment, ["ls", "--format", "json", pool]))]


def free_space_bytes(ceph: Connection, pool: str) -> Optional[int]:
    """Return the free bytes of a pool, without replicas; None if the cluster does not report them.

    A new pool is not in the report at first.
    """
    until = time.monotonic() + COUNTED
    while True:
        for row in (ceph.ask("df") or {}).get("pools", []):
            available = (row.get("stats") or {}).get("max_avail")
            if row.get("name") == pool and available is not None:
                return int(available)
        if time.monotonic() > until:
            return None
        time.sleep(TICK)


def rbd(environment: Dict[str, str], words: List[str]) -> str:
    """The output of a call of rbd. Raises CephError."""
    argv = ["rbd"] + words
    return output_of(argv, " ".join(argv), environment, PATIENCE)

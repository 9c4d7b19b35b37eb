"""The built-in command `@rbd-image`: create and delete RBD images of an attempt.

The image name begins with the attempt id, so no other image is written or deleted. The size is read
back before use.
"""

import json
import re
import time
from typing import Any, Dict, List, Optional

from ..files import write_all
from .ceph_cli import TIMEOUT_SECONDS, CephError, program_output
from .mon_connection import MonConnection
from .pool import NAME
from .pool_setup import APPLICATION

ATTEMPT = re.compile(r"^[0-9a-f]{12}$")
NUMBER = re.compile(r"^[0-9]{1,4}$")
OPTIONS = re.compile(r"^(?:size|object_size)=[1-9][0-9]{0,18}$|^shared=1$")
MIB = 1 << 20
# A client that was killed is a watcher of its image until its lease is over (30 s by default).
REMOVE_SECONDS, POLL_SECONDS = 90.0, 2.0
COUNT_SECONDS = 20.0  # seconds until the manager has counted a new pool
EXISTS = "Image {}/{} exists already. It was not touched."
TOO_LARGE = "Pool {} has {} bytes free, and the image needs {}."
SIZE_DIFFERS = "Image {}/{} was made with {} bytes and has {}."


def rbd_image(arguments: List[str], environment: Dict[str, str]) -> int:
    """Run the command.

    `make POOL ATTEMPT CLIENT size=BYTES [object_size=BYTES] [shared=1]`, `delete POOL ATTEMPT`.
    Prints one JSON line; on errors a sentence on stderr and exit code 1.
    """
    started = time.monotonic()
    try:
        done = run_words(environment, arguments)
    except CephError as error:
        write_all(2, "{}\n".format(error).encode())
        return 1
    done["seconds"] = round(time.monotonic() - started, 3)
    write_all(1, (json.dumps({"rbd_image": done}, sort_keys=True) + "\n").encode())
    return 0


def run_words(environment: Dict[str, str], arguments: List[str]) -> Dict[str, Any]:
    """Run the command and return its result. Raises: CephError."""
    named = len(arguments) >= 3 and NAME.match(arguments[1]) and ATTEMPT.match(arguments[2])
    if named and arguments[0] == "delete" and len(arguments) == 3:
        return {"deleted": delete_images(environment, arguments[1], arguments[2])}
    if named and arguments[0] == "make" and len(arguments) > 4 and NUMBER.match(arguments[3]):
        if all(OPTIONS.match(word) for word in arguments[4:]):
            options = dict(word.split("=") for word in arguments[4:])
            name = name_prefix(arguments[2]) + arguments[3]
            return {"made": name, "size": create_image(environment, arguments[1], name, options)}
    raise CephError("@rbd-image does not understand {}.".format(" ".join(arguments)))


def name_prefix(attempt: str) -> str:
    """Return the common prefix of an attempt's images."""
    return "{}-{}-".format(APPLICATION, attempt)


def create_image(environment: Dict[str, str], pool: str, name: str, options: Dict[str, str]) -> int:
    """Create an image and return its size in bytes as read back. Raises: CephError."""
    size = int(options.get("size", "0"))
    with MonConnection(environment) as ceph:
        available = free_space_bytes(ceph, pool)
    if available is not None and size > available:
        raise CephError(TOO_LARGE.format(pool, available, size))
    if name in images(environment, pool):
        raise CephError(EXISTS.format(pool, name))
    arguments = ["create", "--size", "{}M".format(-(-size // MIB)), "--no-progress"]
    if "object_size" in options:
        arguments += ["--object-size", options["object_size"]]
    if "shared" in options:
        arguments += ["--image-shared"]
    rbd(environment, arguments + ["{}/{}".format(pool, name)])
    image = json.loads(rbd(environment, ["info", "--format", "json", "{}/{}".format(pool, name)]))
    if image.get("name") != name or image.get("size") != size:
        raise CephError(SIZE_DIFFERS.format(pool, name, size, image.get("size")))
    return size


def delete_images(environment: Dict[str, str], pool: str, attempt: str) -> List[str]:
    """Delete every image of the attempt and return their names. Raises: CephError."""
    names = [name for name in images(environment, pool) if name.startswith(name_prefix(attempt))]
    deadline = time.monotonic() + REMOVE_SECONDS
    for name in names:
        remove_image(environment, pool, name, deadline)
    return names


def remove_image(environment: Dict[str, str], pool: str, name: str, deadline: float) -> None:
    """Delete an image; retries while a killed client is still a watcher. Raises: CephError."""
    while True:
        try:
            rbd(environment, ["rm", "--no-progress", "{}/{}".format(pool, name)])
        except CephError:
            if time.monotonic() > deadline:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return


def images(environment: Dict[str, str], pool: str) -> List[str]:
    """Return the names of all images in a pool. Raises: CephError."""
    return [str(name) for name in json.loads(rbd(environment, ["ls", "--format", "json", pool]))]


def free_space_bytes(ceph: MonConnection, pool: str) -> Optional[int]:
    """Return the free bytes of a pool, without replicas; None if the cluster does not report them.

    A new pool is not in the report at first.
    """
    deadline = time.monotonic() + COUNT_SECONDS
    while True:
        for row in (ceph.query("df") or {}).get("pools", []):
            available = (row.get("stats") or {}).get("max_avail")
            if row.get("name") == pool and available is not None:
                return int(available)
        if time.monotonic() > deadline:
            return None
        time.sleep(POLL_SECONDS)


def rbd(environment: Dict[str, str], arguments: List[str]) -> str:
    """Return the output of `rbd`. Raises: CephError."""
    argv = ["rbd"] + arguments
    return program_output(argv, " ".join(argv), environment, TIMEOUT_SECONDS)

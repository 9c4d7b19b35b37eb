"""Commands of the agent's own: `argv` begins with "@" and no program is started for them. Each runs
in a process of its own like any other, its output in the job's files, and gives an exit code.
"""

from typing import Callable, Dict, List, NamedTuple

from ..ceph.ask import ceph_ask
from ..ceph.image import rbd_image
from ..ceph.pool import ceph_pool
from ..targets.held import Held
from .discarding import discard
from .page_cache import drop_caches

# What a command knows beside its words: the environment of tools, and what the job works on.
Around = NamedTuple("Around", [("environment", Dict[str, str]), ("held", List[Held])])
Body = Callable[[List[str], Around], int]


def pool(words: List[str], around: Around) -> int:
    """`@ceph-pool`: make or delete a pool of the attempt's own."""
    return ceph_pool(words, around.environment)


def asked(words: List[str], around: Around) -> int:
    """`@ceph-ask`: keep what the cluster says of itself."""
    return ceph_ask(words, around.environment)


def image(words: List[str], around: Around) -> int:
    """`@rbd-image`: make or remove images of the attempt's own."""
    return rbd_image(words, around.environment)


def caches(_words: List[str], around: Around) -> int:
    """`@drop-caches`: empty the page cache, and verify it for what the job works on."""
    return drop_caches(around.held)


def blocks(words: List[str], around: Around) -> int:
    """`@discard`: give all blocks of the job's disks back to them."""
    return discard(words, around.held)


OWN_COMMANDS: Dict[str, Body] = {
    "@ceph-ask": asked,
    "@ceph-pool": pool,
    "@discard": blocks,
    "@drop-caches": caches,
    "@rbd-image": image,
}

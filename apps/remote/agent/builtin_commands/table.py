"""Built-in commands: `argv` begins with "@" and no program is started.

Each runs in its own process, writes to the job's files and returns an exit code.
"""

from typing import Callable, Dict, List, NamedTuple

from ..ceph.pool import ceph_pool
from ..ceph.query import ceph_query
from ..ceph.rbd_image import rbd_image
from ..targets.claimed import ClaimedTarget
from .discard import discard
from .page_cache import drop_caches

# Environment of tools, and the job's targets.
CommandContext = NamedTuple(
    "CommandContext", [("environment", Dict[str, str]), ("claimed", List[ClaimedTarget])]
)
CommandFunction = Callable[[List[str], CommandContext], int]


def run_pool(words: List[str], context: CommandContext) -> int:
    """`@ceph-pool`: create or delete a pool of the attempt."""
    return ceph_pool(words, context.environment)


def run_query(words: List[str], context: CommandContext) -> int:
    """`@ceph-query`: store responses of the cluster."""
    return ceph_query(words, context.environment)


def run_image(words: List[str], context: CommandContext) -> int:
    """`@rbd-image`: create or delete images of the attempt."""
    return rbd_image(words, context.environment)


def run_drop_caches(_words: List[str], context: CommandContext) -> int:
    """`@drop-caches`: empty the page cache and verify it for the targets."""
    return drop_caches(context.claimed)


def run_discard(words: List[str], context: CommandContext) -> int:
    """`@discard`: discard all blocks of the job's disks."""
    return discard(words, context.claimed)


BUILTIN_COMMANDS: Dict[str, CommandFunction] = {
    "@ceph-query": run_query,
    "@ceph-pool": run_pool,
    "@discard": run_discard,
    "@drop-caches": run_drop_caches,
    "@rbd-image": run_image,
}

"""Build the commands of a test from parameters and target, stage by stage, with all options."""

from __future__ import annotations

from apps.tools.pools import cluster_queries, image_commands, pool_commands
from apps.tools.procedure import Procedure
from apps.tools.targets import ToolTarget

from .fields import PATTERNS
from .params import RbdParams

# Initial estimate of a cluster's rate: bytes/s in large blocks, and operations/s.
RATE, OPERATIONS = 100 * 1024**2, 1000


def build_procedure(params: RbdParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case.

    Raises: ParamsError if no image can be created in the target.
    """
    image_commands.refuse_pool(target, "rbd bench")
    pool, objects = target.identity, params.object_size or 0
    return Procedure(
        commands=(
            *pool_commands.make(target),
            *cluster_queries.before(0, pool, "rbd"),
            image_commands.make(pool, params.image_size, stage=1, objects=objects),
            *(image_commands.fill(pool, params.image_size, 2, "1/2:") if params.fill else ()),
            *image_commands.announced(
                "bench",
                options(params, pool),
                3,
                "2/2:" if params.fill else "1/1:",
                fills="" if params.mode == "read" else pool,
            ),
            cluster_queries.after(stage=4),
            # A separate stage: clean-up that is alone in its stage always runs.
            pool_commands.delete(target, stage=5)
            if target.make
            else image_commands.delete(pool, stage=5),
        ),
        seconds=pool_commands.making_seconds(target)
        + cluster_queries.ASKING
        + image_commands.MAKING
        + _expected_seconds(params),
        writes=True,
        bytes_written=params.written + (params.image_size if params.fill else 0),
    )


def options(params: RbdParams, pool: str) -> tuple[str, ...]:
    """Return the options of rbd bench in a fixed order."""
    mixed = ("--rw-mix-read", str(params.reads)) if params.mode == "readwrite" else ()
    return (
        *("rbd", "bench", f"{pool}/{image_commands.IMAGE}", "--io-type", params.mode),
        *("--io-pattern", PATTERNS[params.pattern], "--io-size", str(params.bs)),
        *("--io-threads", str(params.threads), "--io-total", str(params.size), *mixed),
    )


def _expected_seconds(params: RbdParams) -> float:
    filling = params.image_size / RATE if params.fill else 0.0
    return filling + max(params.size / RATE, params.size / params.bs / OPERATIONS)

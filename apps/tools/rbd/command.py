"""Build the commands of a test from parameters and target, stage by stage, with all options."""

from __future__ import annotations

from apps.tools.pools import images, making, questions
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
    images.refuse_pool(target, "rbd bench")
    pool, objects = target.identity, params.object_size or 0
    return Procedure(
        commands=(
            *making.make(target),
            *questions.before(0, pool, "rbd"),
            images.make(pool, params.image_size, act=1, objects=objects),
            *(images.fill(pool, params.image_size, 2, "1/2:") if params.fill else ()),
            *images.announced(
                "bench",
                options(params, pool),
                3,
                "2/2:" if params.fill else "1/1:",
                fills="" if params.mode == "read" else pool,
            ),
            questions.after(act=4),
            # A separate stage: clean-up that is alone in its stage always runs.
            making.delete(target, act=5) if target.make else images.delete(pool, act=5),
        ),
        seconds=making.making_seconds(target)
        + questions.ASKING
        + images.MAKING
        + _expected_seconds(params),
        writes=True,
        bytes_written=params.written + (params.image_size if params.fill else 0),
    )


def options(params: RbdParams, pool: str) -> tuple[str, ...]:
    """Return the options of rbd bench in a fixed order."""
    mixed = ("--rw-mix-read", str(params.reads)) if params.mode == "readwrite" else ()
    return (
        *("rbd", "bench", f"{pool}/{images.IMAGE}", "--io-type", params.mode),
        *("--io-pattern", PATTERNS[params.pattern], "--io-size", str(params.bs)),
        *("--io-threads", str(params.threads), "--io-total", str(params.size), *mixed),
    )


def _expected_seconds(params: RbdParams) -> float:
    filling = params.image_size / RATE if params.fill else 0.0
    return filling + max(params.size / RATE, params.size / params.bs / OPERATIONS)

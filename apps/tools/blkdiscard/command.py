"""A discard as a command of the agent's own."""

from __future__ import annotations

from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import DiscardParams

# A first guess of how fast a device gives blocks back, bytes/s.
RATE = 10 * 1024**3


def procedure(params: DiscardParams, target: ToolTarget) -> Procedure:
    """The commands for one case. It writes no byte, and destroys all of them."""
    words = ("secure",) if params.secure else ()
    return Procedure(
        commands=(Command("main", ("@discard", *words)),),
        seconds=1.0 + target.count * (target.size or 0) / RATE,
        writes=True,
        bytes_written=0,
    )

"""Discard as a command of the agent."""

from __future__ import annotations

from apps.tools.procedure import Command, Procedure
from apps.tools.targets import ToolTarget

from .params import DiscardParams

# Initial estimate of a device's discard rate, bytes/s.
RATE = 10 * 1024**3


def build_procedure(params: DiscardParams, target: ToolTarget) -> Procedure:
    """Build the commands of one case. No byte is written, but all data is destroyed."""
    options = ("secure",) if params.secure else ()
    return Procedure(
        commands=(Command("main", ("@discard", *options)),),
        seconds=1.0 + target.count * (target.size or 0) / RATE,
        writes=True,
        bytes_written=0,
    )

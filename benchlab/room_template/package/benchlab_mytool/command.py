"""Parameters and target -> mytool's command line."""

from __future__ import annotations

from apps.tools.base import Command, Procedure, ToolTarget

from .params import MytoolParams

# Only the agent knows where a target is: it replaces {target}.
FILE = "{target}/benchlab-mytool"
SPACE = 1024**3


def procedure(params: MytoolParams, target: ToolTarget) -> Procedure:
    """The commands for one case. `writes` is False only where nothing can be written."""
    words = (
        "mytool",
        f"--operation={params.operation}",
        f"--block={params.block}",
        f"--depth={params.depth}",
        f"--seconds={params.seconds}",
        f"--file={FILE}",
    )
    return Procedure(
        commands=(Command("main", words),),
        seconds=params.seconds,
        writes=True,
        space_needed=SPACE,
    )

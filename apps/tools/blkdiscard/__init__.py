"""Plugin of blkdiscard(8): discard all blocks of a disk.

The agent discards through the descriptor with which it claims the disk.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.parse_result import Output, Parsed
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .command import build_procedure
from .params import DiscardParams
from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL", "Blkdiscard"]


class Blkdiscard(ToolPlugin):
    """Plugin of blkdiscard; see `apps.tools.tool.Tool`."""

    name = "blkdiscard"
    label = "Discard (blkdiscard)"
    parser_version = 1
    params = DiscardParams
    targets: tuple[TargetKind, ...] = ("disk",)
    several = True
    operations = ("trim",)
    prepares: Mapping[str, Parameters] = {"discard": {"secure": False}, "secure": {"secure": True}}

    def detect(self, data: bytes) -> bool:
        """Return True if this is the agent's output of a discard."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if this line is the agent's output of a discard."""
        return owns_line(line)

    def build_procedure(self, params: DiscardParams, target: ToolTarget) -> Procedure:
        """Build the commands of one case."""
        return build_procedure(params, target)

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files.

        Raises: ToolError or OutputError.
        """
        return parse_output(output)


TOOL = Blkdiscard()

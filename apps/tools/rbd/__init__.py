"""Plugin of `rbd bench`, which measures an image in a Ceph pool through librbd."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.parse_result import Output, Parsed
from apps.tools.pasted_commands.call import Call, ParsedCommand
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.rbd.pasted_command import parse_command
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .command import build_procedure
from .params import RbdParams
from .parser.output import parse_output
from .parser.recognition import detect, owns_line
from .progress import RbdProgress

__all__ = ["TOOL", "Rbd"]


class Rbd(ToolPlugin):
    """Plugin of rbd bench; see `apps.tools.tool.Tool`."""

    name = "rbd"
    label = "rbd bench"
    parser_version = 4
    params = RbdParams
    command_names = frozenset({"rbd"})
    programs: Mapping[str, str] = {"rbd": "ceph-common"}
    live_file: str | None = "stdout"
    targets: tuple[TargetKind, ...] = ("pool",)
    operations = ("write", "read")
    setup_params = frozenset({"image_size", "fill"})

    def detect(self, data: bytes) -> bool:
        """Return True for output of rbd bench."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only rbd bench, or a script that calls it, writes such a line."""
        return owns_line(line)

    def build_procedure(self, params: RbdParams, target: ToolTarget) -> Procedure:
        """Build the commands of one case.

        Raises: ParamsError if no image can be created in the target.
        """
        return build_procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the tests of one command line."""
        return parse_command(call)

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """Return all parameters; the share of reads only for a mix of reads and writes."""
        dropped = {"reads"} if params.get("mode") != "readwrite" else set()
        return {name: value for name, value in params.items() if name not in dropped}

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return the canonical parameters; without a mix the share of reads is not required."""
        defaults: Parameters = (
            {} if known.get("mode") == "readwrite" else {"reads": RbdParams.reads}
        )
        return super().exact_params({**defaults, **known}, operation)

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> RbdProgress:
        """Create a parser of the live table."""
        return RbdProgress()


TOOL = Rbd()

"""The plugin of `rbd bench`, which measures an image in a Ceph pool
through librbd.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.parse_result import Output, Parsed
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.split_output.call import Call, ParsedCommand
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .command import procedure
from .command_line import parse_command
from .params import RbdParams
from .parser.line_owner import claims
from .parser.output import parse_output, recognises
from .progress import RbdProgress

__all__ = ["TOOL", "Rbd"]


class Rbd(ToolPlugin):
    """See `apps.tools.tool.Tool`."""

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

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes are rbd bench's."""
        return recognises(data)

    def claims(self, line: str) -> bool:
        """Whether only rbd bench, or somebody who called it, writes such a line."""
        return claims(line)

    def procedure(self, params: RbdParams, target: ToolTarget) -> Procedure:
        """The commands for one case. Raises ParamsError where no image can be made."""
        return procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """The tests of one call."""
        return parse_command(call)

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """All of them; the share of reads only where reads and writes are mixed."""
        dropped = {"reads"} if params.get("mode") != "readwrite" else set()
        return {name: value for name, value in params.items() if name not in dropped}

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Without a mix there is no share of reads to be known."""
        usual: Parameters = {} if known.get("mode") == "readwrite" else {"reads": RbdParams.reads}
        return super().exact_params({**usual, **known}, operation)

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> RbdProgress:
        """A fresh reader of the table as it is printed."""
        return RbdProgress()


TOOL = Rbd()

"""The plugin of `rados bench`, which measures a Ceph pool. A
ceph.conf is refused with a sentence that says where it belongs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.bundles.foldernames import numbered
from apps.tools.parse_result import Output, Parsed
from apps.tools.plan_templates import PlanLoad
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.split_output.call import Call, ParsedCommand, ParsedStep
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .command import procedure
from .command_line import join_commands, parse_command
from .identity import exact_params, operation_params
from .loads import LOADS
from .params import RadosParams
from .parser.line_owner import claims
from .parser.output import parse_output, recognises
from .progress import RadosProgress

__all__ = ["TOOL", "Rados"]


class Rados(ToolPlugin):
    """See `apps.tools.tool.Tool`."""

    name = "rados"
    label = "rados bench"
    parser_version = 3
    params = RadosParams
    command_names = frozenset({"rados"})
    programs: Mapping[str, str] = {"rados": "ceph-common"}
    live_file: str | None = "stdout"
    targets: tuple[TargetKind, ...] = ("pool",)
    several = False
    pins = False
    operations = ("write", "seq", "rand", "read")
    loads: Mapping[str, PlanLoad] = LOADS

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes are rados bench's, as text or JSON, or a ceph.conf."""
        return recognises(data)

    def claims(self, line: str) -> bool:
        """Whether only rados bench writes such a line."""
        return claims(line)

    def procedure(self, params: RadosParams, target: ToolTarget) -> Procedure:
        """The commands for one case. Raises ParamsError where this is no pool."""
        return procedure(params, target)

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """The parameters of one of the operations that a test measures one after the other."""
        return operation_params(params, operation)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """The same of a result whose output states them all."""
        return exact_params(known, operation)

    def parse_command(self, call: Call) -> ParsedCommand:
        """The tests of one call."""
        return parse_command(call)

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        """Writing, and reading what was written, are one step."""
        return join_commands(steps)

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> RadosProgress:
        """A fresh reader of the table as it is printed."""
        return RadosProgress()

    def folder_says(self, name: str) -> Parameters:
        """Parameters of rados bench in the name of a folder of CBT's."""
        return numbered(name, {"op_size": "bs", "concurrent_ops": "threads"})


TOOL = Rados()

"""The plugin of iozone."""

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
from .identity import exact_params, operation_params
from .params import IozoneParams
from .parser.columns import OPERATIONS
from .parser.line_owner import claims
from .parser.output import parse_output, recognises

__all__ = ["TOOL", "Iozone"]


class Iozone(ToolPlugin):
    """See `apps.tools.tool.Tool`."""

    name = "iozone"
    label = "iozone"
    parser_version = 5
    params = IozoneParams
    command_names = frozenset({"iozone", "iozone3"})
    programs: Mapping[str, str] = {"iozone": "iozone3"}
    live_file: str | None = None
    targets: tuple[TargetKind, ...] = ("directory",)
    several = False
    pins = False
    operations = OPERATIONS
    random = frozenset({"random", "random_mix"})

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes hold iozone's table, throughput lines or Excel report."""
        return recognises(data)

    def claims(self, line: str) -> bool:
        """Whether only iozone writes such a line."""
        return claims(line)

    def procedure(self, params: IozoneParams, target: ToolTarget) -> Procedure:
        """The commands for one case. Raises ParamsError where the parameters do not fit the
        target.
        """
        return procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """The tests of one call."""
        return parse_command(call)

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """The parameters of one of the operations that a test measures one after the other."""
        return operation_params(params, operation)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """The same of a result whose output states them all."""
        return exact_params(known, operation)

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """There are no live figures: iozone prints a row when it is done."""


TOOL = Iozone()

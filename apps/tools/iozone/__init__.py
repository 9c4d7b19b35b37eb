"""Plugin of iozone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.iozone.pasted_command import parse_command
from apps.tools.parse_result import Output, Parsed
from apps.tools.pasted_commands.call import Call, ParsedCommand
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .advice import advice_for
from .command import build_procedure
from .identity import exact_params, operation_params, repeated_steps
from .params import IozoneParams
from .parser.columns import OPERATIONS, WARM_OPERATIONS
from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL", "Iozone"]


class Iozone(ToolPlugin):
    """Plugin of iozone; see `apps.tools.tool.Tool`."""

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
    warm_operations = WARM_OPERATIONS

    def detect(self, data: bytes) -> bool:
        """Return True if these bytes contain iozone's table, throughput lines or Excel report."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only iozone writes such a line."""
        return owns_line(line)

    def build_procedure(self, params: IozoneParams, target: ToolTarget) -> Procedure:
        """Build the commands of one case.

        Raises: ParamsError if the parameters do not fit the target.
        """
        return build_procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the tests of one command line."""
        return parse_command(call)

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """Return the parameters of one of the consecutive operations of a test."""
        return operation_params(params, operation)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return the parameters of a result whose output contains them all, else None."""
        return exact_params(known, operation)

    def repeated_steps(self, tests: Sequence[Parameters]) -> Sequence[Parameters]:
        """Return the steps that measure these operations."""
        return super().repeated_steps(repeated_steps(tests))

    def advice(self, params: IozoneParams, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return advice on a test whose measurement would mislead."""
        return tuple(advice_for(params, target))

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """Return None: iozone prints a row when it is complete."""


TOOL = Iozone()

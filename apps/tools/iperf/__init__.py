"""Plugin of iperf3 and iperf 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.fields import Role
from apps.tools.iperf.pasted_command import parse_command
from apps.tools.parse_result import Output, Parsed
from apps.tools.pasted_commands.call import Call, ParsedCommand
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .advice import advice_for
from .command import build_procedure
from .identity import plan_params
from .params import IperfParams
from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL", "Iperf"]


class Iperf(ToolPlugin):
    """Plugin of iperf3 and iperf 2; see `apps.tools.tool.Tool`."""

    name = "iperf"
    label = "iperf3 and iperf 2"
    parser_version = 4
    params = IperfParams
    command_names = frozenset({"iperf", "iperf2", "iperf3"})
    programs: Mapping[str, str] = {"iperf3": "iperf3", "iperf": "iperf"}
    # With -J iperf3 prints its document at the end.
    live_file: str | None = None
    targets: tuple[TargetKind, ...] = ("pair",)
    several = False
    pins = False
    operations = ("send", "receive")
    roles: Mapping[str, Role] = {"bytes": "size"}

    def detect(self, data: bytes) -> bool:
        """Return True if these bytes look like iperf 2 or iperf3, in any format."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only iperf writes such a line."""
        return owns_line(line)

    def build_procedure(self, params: IperfParams, target: ToolTarget) -> Procedure:
        """Build the commands of one case.

        Raises: ParamsError if the parameters do not fit the target.
        """
        return build_procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the tests of one command line."""
        return parse_command(call)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return the parameters of the planned test if an output contains them all, else None."""
        return super().exact_params(plan_params(known), operation)

    def repeated_steps(self, tests: Sequence[Parameters]) -> Sequence[Parameters]:
        """Return the steps that repeat these tests."""
        return super().repeated_steps([plan_params(known) for known in tests])

    def advice(self, params: IperfParams, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return advice on a test whose measurement would mislead."""
        return tuple(advice_for(params, target))

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files of both ends, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """Return None: iperf3 prints its document at the end."""


TOOL = Iperf()

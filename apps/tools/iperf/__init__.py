"""The plugin of iperf3 and iperf 2."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.fields import Role
from apps.tools.parse_result import Output, Parsed
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.split_output.call import Call, ParsedCommand
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .command import procedure
from .command_line import parse_command
from .identity import as_asked
from .params import IperfParams
from .parser.line_owner import claims
from .parser.output import parse_output, recognises

__all__ = ["TOOL", "Iperf"]


class Iperf(ToolPlugin):
    """See `apps.tools.tool.Tool`."""

    name = "iperf"
    label = "iperf3 and iperf 2"
    parser_version = 4
    params = IperfParams
    command_names = frozenset({"iperf", "iperf2", "iperf3"})
    programs: Mapping[str, str] = {"iperf3": "iperf3", "iperf": "iperf"}
    # With -J iperf3 prints its document when it is done.
    live_file: str | None = None
    targets: tuple[TargetKind, ...] = ("pair",)
    several = False
    pins = False
    operations = ("send", "receive")
    roles: Mapping[str, Role] = {"bytes": "size"}

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like iperf 2 or iperf3, in any format."""
        return recognises(data)

    def claims(self, line: str) -> bool:
        """Whether only iperf writes such a line."""
        return claims(line)

    def procedure(self, params: IperfParams, target: ToolTarget) -> Procedure:
        """The commands for one case. Raises ParamsError where the parameters do not fit the
        target.
        """
        return procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """The tests of one call."""
        return parse_command(call)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """The parameters of the planned test that an output states completely."""
        return super().exact_params(as_asked(known), operation)

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files of both ends, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """There are no live figures: iperf3's document comes at the end."""


TOOL = Iperf()

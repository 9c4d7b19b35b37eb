"""Plugin of dd."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.dd.pasted_command import parse_command
from apps.tools.parse_result import Output, Parsed
from apps.tools.pasted_commands.call import Call, ParsedCommand
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.targets import TargetKind, ToolTarget

from .advice import advice_for
from .command import build_procedure
from .params import DdParams
from .parser.output import parse_output
from .parser.recognition import detect, owns_line

__all__ = ["TOOL", "Dd"]


class Dd(ToolPlugin):
    """Plugin of dd; see `apps.tools.tool.Tool`."""

    name = "dd"
    label = "dd"
    parser_version = 3
    params = DdParams
    command_names = frozenset({"dd"})
    programs: Mapping[str, str] = {"dd": ""}
    # dd reports once, at its end.
    live_file: str | None = None
    targets: tuple[TargetKind, ...] = ("disk", "directory")
    several = False
    pins = False
    operations = ("read", "write")

    def detect(self, data: bytes) -> bool:
        """Return True if these bytes contain a result line of dd, in any language."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only dd writes such a line."""
        return owns_line(line)

    def build_procedure(self, params: DdParams, target: ToolTarget) -> Procedure:
        """Build the commands of one case.

        Raises: ParamsError if the parameters do not fit the target.
        """
        return build_procedure(params, target)

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the tests of one command line."""
        return parse_command(call)

    def advice(self, params: DdParams, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return advice on a test whose measurement would mislead."""
        return tuple(advice_for(params))

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> None:
        """Return None: dd has no live output."""
        return


TOOL = Dd()

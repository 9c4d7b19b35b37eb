"""Plugin of `rados bench`, which measures a Ceph pool.

A ceph.conf is recognised and rejected with a hint where to import it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.bundles.foldernames import numbered
from apps.tools.parse_result import Output, Parsed
from apps.tools.pasted_commands.call import Call, ParsedCommand, ParsedStep
from apps.tools.plan_templates import PlanLoad
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.rados.pasted_command import join_commands, parse_command
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.values import Parameters

from .advice import advice_for
from .command import build_procedure
from .identity import exact_params, operation_params, repeated_steps
from .loads import LOADS
from .params import RadosParams
from .parser.output import parse_output
from .parser.recognition import detect, owns_line
from .progress import RadosProgress

__all__ = ["TOOL", "Rados"]


class Rados(ToolPlugin):
    """Plugin of rados bench; see `apps.tools.tool.Tool`."""

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

    def detect(self, data: bytes) -> bool:
        """Return True for output of rados bench, as text or JSON, and for a ceph.conf."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only rados bench writes such a line."""
        return owns_line(line)

    def build_procedure(self, params: RadosParams, target: ToolTarget) -> Procedure:
        """Build the commands of one case.

        Raises: ParamsError if the target is no pool.
        """
        return build_procedure(params, target)

    def lasting(self, params: RadosParams, seconds: int) -> RadosParams | None:
        """Return the parameters with a longer last operation."""
        raw = {**params.canonical(), "seconds": seconds}
        if len(params.steps) > 1 and params.writes:
            raw["write_seconds"] = params.lasts("write")
        return RadosParams.from_raw(raw)

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """Return the parameters of one of the consecutive operations of a test."""
        return operation_params(params, operation)

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return the parameters of a result whose output contains them all, else None."""
        return exact_params(known, operation)

    def repeated_steps(self, tests: Sequence[Parameters]) -> Sequence[Parameters]:
        """Return a step per object size that writes and then reads what it wrote."""
        return super().repeated_steps(repeated_steps(tests))

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the tests of one command line."""
        return parse_command(call)

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        """Join a write and the following reads of its objects into one step."""
        return join_commands(steps)

    def advice(self, params: RadosParams, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return advice on a test whose measurement would mislead."""
        return tuple(advice_for(params))

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def progress(self) -> RadosProgress:
        """Create a parser of the live table."""
        return RadosProgress()

    def parse_path(self, name: str) -> Parameters:
        """Return the parameters of rados bench in the name of a CBT directory."""
        return numbered(name, {"op_size": "bs", "concurrent_ops": "threads"})


TOOL = Rados()

"""Plugin of fio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.bundles.bundle import LogSet, OutputBundle
from apps.tools.fields import Role
from apps.tools.fio.pasted_command import parse_command, parse_file
from apps.tools.option_versions import OptionVersions
from apps.tools.parse_result import Output, Parsed
from apps.tools.pasted_commands.call import Call, ParsedCommand
from apps.tools.plan_templates import PlanLoad, PlanTemplate
from apps.tools.plugin import ToolPlugin
from apps.tools.procedure import Procedure
from apps.tools.targets import TargetKind, ToolTarget
from apps.tools.translation import gettext_noop as _
from apps.tools.values import Parameters

from .advice import advice_for
from .bundles import bundles, logs_of
from .command import RESULT, build_procedure
from .foldernames import parse_path
from .options.newer import NVME
from .options.versions import range_of
from .options.workload import MORE
from .params import FioParams
from .parser.logs.names import log_name
from .parser.output import parse_output
from .parser.recognition import detect, owns_line
from .pools import ENGINE, targets_for
from .progress import FioProgress
from .templates import LOADS, PREPARES, TEMPLATES

__all__ = ["TOOL", "Fio"]

# Engines that a build of fio may lack.
OPTIONAL_ENGINES = frozenset({ENGINE, "io_uring", "io_uring_cmd"})


class Fio(ToolPlugin):
    """Plugin of fio; see `apps.tools.tool.Tool`."""

    name = "fio"
    label = "fio"
    parser_version = 7
    params = FioParams
    programs: Mapping[str, str] = {"fio": "fio"}
    live_file: str | None = RESULT
    targets: tuple[TargetKind, ...] = ("disk", "directory", "pool")
    several = True
    pins = True
    operations = ("read", "write", "trim", "mixed", "sync")
    random = frozenset({"randread", "randwrite", "randrw"})
    command_names = frozenset({"fio"})
    roles: Mapping[str, Role] = {"clients": "jobs"}
    templates: Mapping[str, PlanTemplate] = TEMPLATES
    loads: Mapping[str, PlanLoad] = LOADS
    prepares: Mapping[str, Parameters] = PREPARES
    prefixed = False  # most tests are fio's own
    importable_text = _("a job file or a command line of fio")

    def detect(self, data: bytes) -> bool:
        """Return True if these bytes look like fio's JSON, text or terse output."""
        return detect(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only fio writes such a line."""
        return owns_line(line)

    def build_procedure(self, params: FioParams, target: ToolTarget) -> Procedure:
        """Return the commands for one case.

        Raises: ParamsError if the parameters do not fit the target.
        """
        return build_procedure(params, target)

    def lasting(self, params: FioParams, seconds: int) -> FioParams | None:
        """Return the parameters of a timed test, which starts over at the end of its range."""
        timed = {"runtime": seconds, "time_based": True, "loops": 1}
        return FioParams.from_raw({**params.canonical(), **timed})

    def advice(self, params: FioParams, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return advice on a test whose measurement would mislead."""
        return tuple(advice_for(params, target))

    def bypasses_block_layer(self, params: Parameters) -> bool:
        """Return True for NVMe commands on the generic device."""
        return params.get("ioengine") == NVME

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)

    def reads_in_pieces(self, name: str) -> bool:
        """Return True for logs, which may exceed the memory."""
        return log_name(name) is not None

    def targets_for(self, raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
        """Return only pools for the engine rbd, disks and directories for other engines."""
        return targets_for(raw)

    def options_of(self, params: Parameters) -> Sequence[str]:
        """Return the set options of fio's own list, and the engine if not every fio has it."""
        engine = params.get("ioengine")
        built_in = [f"ioengine={engine}"] if engine in OPTIONAL_ENGINES else []
        return [*built_in, *(name for name in params if name in MORE)]

    def option_versions(self, name: str) -> OptionVersions:
        """Return the versions of fio that have an option."""
        return range_of(name)

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the jobs of one call."""
        return parse_command(call)

    def parse_file(self, text: str) -> ParsedCommand:
        """Return the jobs of a job file."""
        return parse_file(text)

    def progress(self) -> FioProgress:
        """Return a new parser of the status documents."""
        return FioProgress()

    def parse_path(self, name: str) -> Parameters:
        """Return fio's parameters in the name of a CBT folder."""
        return parse_path(name)

    def logs(self, paths: Sequence[str]) -> Sequence[LogSet]:
        """Return fio's logs among these files, grouped by the run that wrote them."""
        return logs_of(paths)

    def bundles(self, files: Mapping[str, bytes], logs: Sequence[LogSet]) -> Sequence[OutputBundle]:
        """Return bench-fio's results, results with their logs, and logs without a result."""
        return bundles(files, logs)


TOOL = Fio()

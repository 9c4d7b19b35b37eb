"""Interface of every tool plugin: parameters, commands, and a parser of the output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.pasted_commands.call import Call, ParsedCommand, ParsedStep
from apps.tools.values import Parameters

from .bundles.bundle import LogSet, OutputBundle
from .fields import Params, Role
from .option_versions import OptionVersions
from .parse_result import Output, Parsed
from .plan_templates import PlanLoad, PlanTemplate
from .procedure import Procedure
from .progress import Progress
from .targets import TargetKind, ToolTarget


class Tool(Protocol):
    """Interface of a tool in `registry.TOOLS`; `plugin.ToolPlugin` implements defaults.

    - `programs`: programs that the tool runs -> Debian package; "" if nothing has to be installed.
    - `targets`: kinds of targets it runs on; a step runs on the matching targets of its plan.
    - `several`: it uses several disks or directories of one host at once.
    - `pins`: it places its threads on given CPUs.
    - `is_monitor`: it records devices while another tool tests them.
    - `setup_params`: parameters of a plan's set-up, which no command line contains.
    - `operations`: operations it measures, in the order of the tool's documentation.
    - `random`: values of the parameter with the role "operation" that access at random.
    - `command_names`: names of the programs whose command lines `parse_command` parses.
    - `warm_operations`: operations on data that the same call read or wrote just before; without
      direct I/O they use the page cache if the data fit in memory.
    - `roles`: roles of parameters that only outputs contain.
    - `templates`: built-in plans by key.
    - `loads`: starter workloads of a disk's page by key.
    - `importable_text`: what users can paste as steps, such as "a job file"; empty if nothing.
    - `prepares`: kind of preconditioning of a whole disk -> raw parameters.
    - `prefixed`: lists of tests of several tools prepend the tool's name to each label.
    """

    name: str
    label: str
    parser_version: int
    params: type[Params] | None
    programs: Mapping[str, str]
    live_file: str | None
    targets: tuple[TargetKind, ...]
    several: bool
    pins: bool
    is_monitor: bool
    setup_params: frozenset[str]
    operations: tuple[str, ...]
    random: frozenset[str]
    warm_operations: frozenset[str]
    command_names: frozenset[str]
    roles: Mapping[str, Role]
    templates: Mapping[str, PlanTemplate]
    loads: Mapping[str, PlanLoad]
    importable_text: str
    prepares: Mapping[str, Parameters]
    prefixed: bool

    def detect(self, data: bytes) -> bool:
        """Return True if these bytes look like this tool's output."""

    def owns_line(self, line: str) -> bool:
        """Return True if only this tool, or a script that calls it, writes such a line.

        A text with outputs of several tools is split at these lines.
        """

    def reads_in_pieces(self, name: str) -> bool:
        """Return True if a file of that name may be passed in chunks (`Output.large`)."""

    def build_procedure(self, params: Params, target: ToolTarget) -> Procedure:
        """Build the commands of one case."""

    def targets_for(self, raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
        """Return the kinds of targets that a step with these raw parameters can use."""

    def lasting(self, params: Params, seconds: int) -> Params | None:
        """Return the parameters of a load that goes on for so long; None without a duration."""

    def advice(self, params: Params, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return advice on a test whose measurement would mislead."""

    def bypasses_block_layer(self, params: Parameters) -> bool:
        """Return True if the kernel's counters of a disk do not see the commands of this test."""

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """Return the canonical plan parameters that determine the result of one operation.

        They contain the operation itself if a plan measures several: rados' `seq` of a
        write+seq+rand test.
        """

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return `operation_params` of a test that an output describes completely, else None.

        `known` has the names of plan parameters.
        """

    def repeated_steps(self, tests: Sequence[Parameters]) -> Sequence[Parameters]:
        """Return the parameters of the steps that repeat these tests.

        `tests`: what outputs state of each; names that are no plan parameters are left out, and
        missing parameters take their defaults.
        """

    def options_of(self, params: Parameters) -> Sequence[str]:
        """Return options of a test that some versions of the tool lack.

        "option=value" names a value that some versions lack.
        """

    def option_versions(self, name: str) -> OptionVersions:
        """Return the versions of the tool that have an option of `options_of`."""

    def parse_command(self, call: Call) -> ParsedCommand:
        """Return the tests of one command line, with a note for each option that is no parameter.

        Raises: CommandError for a command line that is no test of a plan.
        """

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        """Join consecutive tests that are one step of a plan.

        Returns the indexes of the joined tests with the step.
        """

    def parse_file(self, text: str) -> ParsedCommand:
        """Return the tests of a job file.

        Raises: CommandError.
        """

    def parse(self, output: Output) -> Parsed:
        """Parse an attempt's files, or an imported file given as "stdout".

        Raises: ToolError or OutputError.
        """

    def progress(self) -> Progress | None:
        """Create a parser of live output; None if the tool has no live output."""

    def parse_path(self, name: str) -> Parameters:
        """Return the parameters in the name of a directory above a result.

        The names are those of the Ceph benchmarking tool (CBT): "op_size-00004096".
        """

    def logs(self, paths: Sequence[str]) -> Sequence[LogSet]:
        """Return the tool's logs among these files, grouped by the process that wrote them."""

    def bundles(self, files: Mapping[str, bytes], logs: Sequence[LogSet]) -> Sequence[OutputBundle]:
        """Return results that consist of several files.

        `files` maps a path to its first bytes. A file in no bundle is a result of its own.
        """

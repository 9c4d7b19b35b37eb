"""The base of most plugins: a plugin inherits from this and says what is its own
(`apps.tools.tool.Tool` says what each member means).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.tools.messages import message
from apps.tools.values import Parameters

from .bundles.bundle import LogSet, OutputBundle
from .errors import ParamsError
from .fields import Params, Role
from .plan_templates import PlanLoad, PlanTemplate
from .procedure import Procedure
from .progress import Progress
from .split_output.call import Call, CommandError, ParsedCommand, ParsedStep
from .split_output.job_import import ImportedSteps
from .targets import TargetKind, ToolTarget


class ToolPlugin:
    """A tool that is not run, has no logs beside its results and does nothing with folder names."""

    refusal: str = "Results of this tool can be read; plans cannot run it."
    params: type[Params] | None = None
    programs: Mapping[str, str] = {}
    live_file: str | None = None
    targets: tuple[TargetKind, ...] = ()
    several: bool = False
    pins: bool = False
    is_monitor: bool = False
    setup_params: frozenset[str] = frozenset()
    operations: tuple[str, ...] = ("read", "write")
    random: frozenset[str] = frozenset()
    command_names: frozenset[str] = frozenset()
    roles: Mapping[str, Role] = {}
    templates: Mapping[str, PlanTemplate] = {}
    loads: Mapping[str, PlanLoad] = {}
    pastes: str = ""
    prepares: Mapping[str, Parameters] = {}
    prefixed: bool = True

    def claims(self, line: str) -> bool:
        """No line is this tool's alone."""
        return False

    def reads_in_pieces(self, name: str) -> bool:
        """No file of that name beside a result may be given as pieces (`Output.large`)."""
        return False

    def procedure(self, params: Any, target: ToolTarget) -> Procedure:
        """Raises ParamsError: nothing is run. `params`: the plugin's own."""
        raise ParamsError({"tool": self.refusal})

    def targets_for(self, raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
        """All kinds, whatever the parameters are."""
        return self.targets

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """All of them: a test of this tool measures one kind of operation."""
        return params

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """The canonical parameters, where every parameter that a plan must state is known and no
        other one is. An operation that a plan states as a parameter is known from the result.
        """
        if self.params is None:
            return None
        fields = self.params.fields()
        for name in ("operation", "mode"):
            if name not in known and name in fields and operation in fields[name].choices:
                known = known | {name: operation}
        needed = {name for name, field in fields.items() if not field.optional}
        # Parameters of a later version are no part of the identity while they have their default.
        needed -= self.params.later.keys()
        if not needed or not needed <= known.keys() <= fields.keys():
            return None
        try:
            params = self.params.from_raw({name: known[name] for name in fields if name in known})
        except ParamsError:
            return None  # a test that a plan may not have
        return self.operation_params(params.canonical(), operation)

    def options_of(self, params: Parameters) -> Sequence[str]:
        """Every version of the tool has what is asked of it."""
        return ()

    def parse_command(self, call: Call) -> ParsedCommand:
        """Raises CommandError: no call of this tool is read."""
        raise CommandError(message("benchlab does not read the command lines of this tool."))

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        """Each test is a step of its own."""
        return [((number,), ParsedCommand((step,))) for number, step in enumerate(steps)]

    def parse_file(self, text: str) -> ParsedCommand:
        """Raises CommandError: this tool has no job files."""
        raise CommandError(message("This tool has no job files."))

    def steps_from(self, text: str) -> ImportedSteps:
        """Nothing is understood."""
        return ImportedSteps()

    def progress(self) -> Progress | None:
        """There are no live figures."""
        return None

    def folder_says(self, name: str) -> Parameters:
        """A folder's name says nothing."""
        return {}

    def logs(self, paths: Sequence[str]) -> Sequence[LogSet]:
        """There are no logs beside the results."""
        return ()

    def bundles(self, files: Mapping[str, bytes], logs: Sequence[LogSet]) -> Sequence[OutputBundle]:
        """Every result is a file of its own."""
        return ()

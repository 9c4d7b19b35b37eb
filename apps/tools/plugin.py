"""Base class of most plugins, with the defaults of `apps.tools.tool.Tool`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.messages import message
from apps.tools.pasted_commands.call import Call, CommandError, ParsedCommand, ParsedStep
from apps.tools.values import Parameters

from .bundles.bundle import LogSet, OutputBundle
from .errors import ParamsError
from .fields import Params, Role
from .option_versions import OptionVersions
from .plan_templates import PlanLoad, PlanTemplate
from .procedure import Procedure
from .progress import Progress
from .targets import TargetKind, ToolTarget


class ToolPlugin:
    """Tool without commands, logs and live output; a plugin overrides what it supports."""

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
    warm_operations: frozenset[str] = frozenset()
    command_names: frozenset[str] = frozenset()
    roles: Mapping[str, Role] = {}
    templates: Mapping[str, PlanTemplate] = {}
    loads: Mapping[str, PlanLoad] = {}
    importable_text: str = ""
    prepares: Mapping[str, Parameters] = {}
    prefixed: bool = True

    def owns_line(self, line: str) -> bool:
        """Return False: no line identifies this tool."""
        return False

    def reads_in_pieces(self, name: str) -> bool:
        """Return False: every file is passed as a whole, never in chunks (`Output.large`)."""
        return False

    def build_procedure(self, params: Any, target: ToolTarget) -> Procedure:
        """Refuse to build commands. `params` is the plugin's own class.

        Raises: ParamsError always.
        """
        raise ParamsError({"tool": self.refusal})

    def targets_for(self, raw: Mapping[str, object]) -> tuple[TargetKind, ...]:
        """Return all kinds of targets, independent of the parameters."""
        return self.targets

    def lasting(self, params: Any, seconds: int) -> Params | None:
        """Return the parameters with another duration; None for a tool without one."""
        fields = self.params.fields() if self.params else {}
        name = next((name for name, field in fields.items() if field.role == "time"), "")
        if not name or self.params is None:
            return None
        return self.params.from_raw({**params.canonical(), name: seconds})

    def advice(self, params: Any, target: TestedTarget) -> Sequence[ParamAdvice]:
        """Return no advice. `params` is the plugin's own class."""
        return ()

    def bypasses_block_layer(self, params: Parameters) -> bool:
        """Return False: the kernel counts every request of this tool."""
        return False

    def operation_params(self, params: Parameters, operation: str) -> Parameters:
        """Return all parameters: a test of this tool measures one kind of operation."""
        return params

    def exact_params(self, known: Parameters, operation: str) -> Parameters | None:
        """Return the canonical parameters if `known` has every required parameter and no other one.

        The operation is taken from the result if a plan has it as a parameter.
        """
        if self.params is None:
            return None
        fields = self.params.fields()
        for name in ("operation", "mode"):
            if name not in known and name in fields and operation in fields[name].choices:
                known = known | {name: operation}
        needed = {name for name, field in fields.items() if not field.optional}
        # Parameters of a later version are not in the identity while they have their default.
        needed -= self.params.later.keys()
        if not needed or not needed <= known.keys() <= fields.keys():
            return None
        try:
            params = self.params.from_raw({name: known[name] for name in fields if name in known})
        except ParamsError:
            return None  # a plan does not allow this test
        return self.operation_params(params.canonical(), operation)

    def repeated_steps(self, tests: Sequence[Parameters]) -> Sequence[Parameters]:
        """Return the plan parameters of each test."""
        fields = self.params.fields() if self.params else {}
        return [
            {name: value for name, value in test.items() if name in fields and value is not None}
            for test in tests
        ]

    def options_of(self, params: Parameters) -> Sequence[str]:
        """Return no options: every version of the tool has all of them."""
        return ()

    def option_versions(self, name: str) -> OptionVersions:
        """Return no limits: only a host's own list decides."""
        return OptionVersions(name)

    def parse_command(self, call: Call) -> ParsedCommand:
        """Refuse a command line.

        Raises: CommandError always.
        """
        raise CommandError(message("benchlab does not read the command lines of this tool."))

    def join_commands(
        self, steps: Sequence[ParsedStep]
    ) -> Sequence[tuple[Sequence[int], ParsedCommand]]:
        """Return each test as a step of its own."""
        return [((number,), ParsedCommand((step,))) for number, step in enumerate(steps)]

    def parse_file(self, text: str) -> ParsedCommand:
        """Refuse a job file.

        Raises: CommandError always.
        """
        raise CommandError(message("This tool has no job files."))

    def progress(self) -> Progress | None:
        """Return None: there is no live output."""
        return None

    def parse_path(self, name: str) -> Parameters:
        """Return no parameters."""
        return {}

    def logs(self, paths: Sequence[str]) -> Sequence[LogSet]:
        """Return no logs."""
        return ()

    def bundles(self, files: Mapping[str, bytes], logs: Sequence[LogSet]) -> Sequence[OutputBundle]:
        """Return no bundles: every result is one file."""
        return ()

"""The room of mytool: everything benchlab knows about it."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.base import Output, Parsed, Procedure, TargetKind, ToolTarget
from apps.tools.room import Room

from .command import procedure
from .params import MytoolParams
from .parser import parse_output, recognises

__all__ = ["TOOL", "Mytool"]


class Mytool(Room):
    """The room's face; `apps.tools.base.Tool` says what each member means."""

    name = "mytool"
    label = "mytool"
    # Raise it whenever the same bytes give other figures.
    parser_version = 1
    params = MytoolParams
    # Each program the room runs, and the package it is in ("" where none has it).
    programs: Mapping[str, str] = {"mytool": ""}
    targets: tuple[TargetKind, ...] = ("directory",)
    # In the order in which people of the tool speak of them.
    operations = ("write", "read")

    def recognises(self, data: bytes) -> bool:
        """Whether these bytes look like mytool's output."""
        return recognises(data)

    def procedure(self, params: MytoolParams, target: ToolTarget) -> Procedure:
        """The commands for one case. Raises ParamsError where the parameters do not fit the
        target."""
        return procedure(params, target)

    def parse(self, output: Output) -> Parsed:
        """Read an attempt's files, or an imported file given as "stdout"."""
        return parse_output(output)


TOOL = Mytool()

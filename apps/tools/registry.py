"""Every tool benchlab knows: a room and one line here, or a package of somebody else."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib.metadata import entry_points

from apps.tools.sentences import sentence
from apps.tools.values import Parameters

from . import blkdiscard, dd, fio, iometer, iostat, iozone, iperf, rados, rbd
from .base import CONCURRENCY, LOAD, Output, OutputError, Parsed, Role, Tool, ToolError
from .cleaning import MAX_CLEANED, cleaned_output, cleaned_text
from .figure_checks import without_impossible_figures
from .plugins import GROUP, GoneRoom, load_plugins

log = logging.getLogger(__name__)
BUILT_IN: Mapping[str, Tool] = {
    room.TOOL.name: room.TOOL
    for room in (fio, rados, rbd, iperf, iozone, dd, iostat, iometer, blkdiscard)
}
_PLUGINS, PLUGIN_ERRORS = load_plugins(entry_points(group=GROUP))
TOOLS: Mapping[str, Tool] = {**BUILT_IN, **_PLUGINS, **BUILT_IN}
"""The built-in tools, then those of other packages: an output is the first's that recognises it."""


def tool(name: str) -> Tool:
    """The room of that name; where it is not installed (any more), one that can do nothing."""
    return TOOLS.get(name) or GoneRoom(name)


def preparing(kind: str) -> tuple[str, Parameters] | None:
    """The tool that prepares a disk in this way, and its parameters; None where none does."""
    found = ((room.name, room.prepares.get(kind)) for room in TOOLS.values())
    return next(((name, params) for name, params in found if params is not None), None)


def role_of(name: str, param: str) -> Role | None:
    """The role of a parameter of this tool, whatever it is called; None where nobody says."""
    room = TOOLS.get(name)
    if room is None:
        return None
    field = (room.params.fields() if room.params else {}).get(param)
    return room.roles.get(param) if field is None else field.role


def words_of_all(name: str, param: str) -> str:
    """The words for a parameter of this tool that is left out, where that means all there is: the
    whole disk as the address space. Empty where it means anything else.
    """
    room = TOOLS.get(name)
    field = (room.params.fields() if room is not None and room.params else {}).get(param)
    return str(field.absent) if field is not None and field.role == "size" else ""


def param_with(name: str, role: Role) -> str:
    """The first parameter of this tool with a role; empty where none has it."""
    room = TOOLS.get(name)
    fields = room.params.fields() if room is not None and room.params else {}
    return next((param for param, field in fields.items() if field.role == role), "")


def size_params(name: str) -> frozenset[str]:
    """The parameters of this tool that are bytes: of its plans, and what its outputs tell."""
    room = TOOLS.get(name)
    if room is None:
        return frozenset()
    fields = room.params.fields() if room.params else {}
    told = {param for param, role in room.roles.items() if role in ("block", "size")}
    return frozenset(told | {param for param, field in fields.items() if field.kind == "size"})


def cpus_param(name: str) -> str:
    """The parameter that chooses a tool's CPUs; empty where there is none."""
    room = TOOLS.get(name)
    fields = room.params.fields() if room is not None and room.params else {}
    return next((param for param, field in fields.items() if field.kind == "cpus"), "")


def is_concurrency(name: str, param: str) -> bool:
    """Whether more of this parameter means more operations at the same time."""
    return role_of(name, param) in CONCURRENCY


def load_params() -> dict[str, str]:
    """The parameters of all tools that say how much is asked at once, or in a second: whole numbers
    by their names, with their labels.
    """
    return {
        name: field.label
        for room in TOOLS.values()
        for name, field in (room.params.fields() if room.params else {}).items()
        if field.kind == "int" and field.role in LOAD
    }


def param_names() -> list[str]:
    """The names of all parameters of all tools, in order."""
    rooms = [room.params for room in TOOLS.values() if room.params]
    return sorted({name for params in rooms for name in params.fields()})


def accesses_at_random(name: str, params: Parameters) -> bool:
    """Whether a test with these parameters goes to places in no order."""
    room = TOOLS.get(name)
    return room is not None and any(
        role_of(name, param) == "operation" and value in room.random
        for param, value in params.items()
    )


def packages() -> dict[str, str]:
    """The programs of all rooms that a host can install -> the package, by Debian's name."""
    rooms = TOOLS.values()
    return {name: pack for room in rooms for name, pack in room.programs.items() if pack}


def programs() -> list[str]:
    """Everything that rooms run."""
    return [name for room in TOOLS.values() for name in room.programs]


def measures_network(name: str) -> bool:
    """Whether the tool's figures are a network's, shown in Gbit/s beside MB/s."""
    room = TOOLS.get(name)
    return room is not None and room.targets == ("pair",)


def is_monitor(name: str) -> bool:
    """Whether this tool records devices while another one tests them."""
    return tool(name).is_monitor


def reads_in_pieces(name: str, file: str) -> bool:
    """Whether this tool's room reads a large file of that name without holding it."""
    return tool(name).reads_in_pieces(file)


def parse_output(name: str, output: Output) -> Parsed:
    """Parse an output with the tool of that name: the one way in which parsers are called. Raises
    ToolError or OutputError, whatever the parser raises: a defect of a parser ends one result and
    never its caller. A result with an impossible figure is partial, with a warning."""
    try:
        parsed = tool(name).parse(cleaned_output(output))
    except (ToolError, OutputError, MemoryError):
        raise
    except Exception as error:
        log.exception("the parser of %s failed", name)
        reason = f"{type(error).__name__}: {error}"
        raise OutputError(
            sentence("The output could not be read (%(reason)s).", reason=reason[:200])
        ) from error
    return without_impossible_figures(parsed)


def recognise(data: bytes) -> Tool | None:
    """The tool whose output this looks like, None if no room claims it."""
    if len(data) <= MAX_CLEANED:
        data = cleaned_text(data)
    return next((room for room in TOOLS.values() if room.recognises(data)), None)

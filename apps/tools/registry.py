"""Every tool benchlab knows: a plugin and one line here, or a package of somebody else."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib.metadata import entry_points

from apps.tools.messages import message
from apps.tools.values import Parameters

from . import blkdiscard, dd, fio, iometer, iostat, iozone, iperf, rados, rbd
from .cleaning import MAX_CLEANED, cleaned_output, cleaned_text
from .errors import OutputError, ToolError
from .external import GROUP, MissingPlugin, load_plugins
from .fields import CONCURRENCY, LOAD, Role
from .figure_checks import without_impossible_figures
from .parse_result import Output, Parsed
from .tool import Tool

log = logging.getLogger(__name__)
BUILT_IN: Mapping[str, Tool] = {
    plugin.TOOL.name: plugin.TOOL
    for plugin in (fio, rados, rbd, iperf, iozone, dd, iostat, iometer, blkdiscard)
}
_PLUGINS, PLUGIN_ERRORS = load_plugins(entry_points(group=GROUP))
TOOLS: Mapping[str, Tool] = {**BUILT_IN, **_PLUGINS, **BUILT_IN}
"""The built-in tools, then those of other packages: an output is the first's that recognises it."""


def tool(name: str) -> Tool:
    """The plugin of that name; where it is not installed (any more), one that can do nothing."""
    return TOOLS.get(name) or MissingPlugin(name)


def preparing(kind: str) -> tuple[str, Parameters] | None:
    """The tool that prepares a disk in this way, and its parameters; None where none does."""
    found = ((plugin.name, plugin.prepares.get(kind)) for plugin in TOOLS.values())
    return next(((name, params) for name, params in found if params is not None), None)


def role_of(name: str, param: str) -> Role | None:
    """The role of a parameter of this tool, whatever it is called; None where nobody says."""
    plugin = TOOLS.get(name)
    if plugin is None:
        return None
    field = (plugin.params.fields() if plugin.params else {}).get(param)
    return plugin.roles.get(param) if field is None else field.role


def words_of_all(name: str, param: str) -> str:
    """The words for a parameter of this tool that is left out, where that means all there is: the
    whole disk as the address space. Empty where it means anything else.
    """
    plugin = TOOLS.get(name)
    field = (plugin.params.fields() if plugin is not None and plugin.params else {}).get(param)
    return str(field.absent) if field is not None and field.role == "size" else ""


def param_with(name: str, role: Role) -> str:
    """The first parameter of this tool with a role; empty where none has it."""
    plugin = TOOLS.get(name)
    fields = plugin.params.fields() if plugin is not None and plugin.params else {}
    return next((param for param, field in fields.items() if field.role == role), "")


def size_params(name: str) -> frozenset[str]:
    """The parameters of this tool that are bytes: of its plans, and what its outputs tell."""
    plugin = TOOLS.get(name)
    if plugin is None:
        return frozenset()
    fields = plugin.params.fields() if plugin.params else {}
    told = {param for param, role in plugin.roles.items() if role in ("block", "size")}
    return frozenset(told | {param for param, field in fields.items() if field.kind == "size"})


def cpus_param(name: str) -> str:
    """The parameter that chooses a tool's CPUs; empty where there is none."""
    plugin = TOOLS.get(name)
    fields = plugin.params.fields() if plugin is not None and plugin.params else {}
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
        for plugin in TOOLS.values()
        for name, field in (plugin.params.fields() if plugin.params else {}).items()
        if field.kind == "int" and field.role in LOAD
    }


def param_names() -> list[str]:
    """The names of all parameters of all tools, in order."""
    plugins = [plugin.params for plugin in TOOLS.values() if plugin.params]
    return sorted({name for params in plugins for name in params.fields()})


def accesses_at_random(name: str, params: Parameters) -> bool:
    """Whether a test with these parameters goes to places in no order."""
    plugin = TOOLS.get(name)
    return plugin is not None and any(
        role_of(name, param) == "operation" and value in plugin.random
        for param, value in params.items()
    )


def packages() -> dict[str, str]:
    """The programs of all plugins that a host can install -> the package, by Debian's name."""
    plugins = TOOLS.values()
    return {name: pack for plugin in plugins for name, pack in plugin.programs.items() if pack}


def programs() -> list[str]:
    """Everything that plugins run."""
    return [name for plugin in TOOLS.values() for name in plugin.programs]


def measures_network(name: str) -> bool:
    """Whether the tool's figures are a network's, shown in Gbit/s beside MB/s."""
    plugin = TOOLS.get(name)
    return plugin is not None and plugin.targets == ("pair",)


def is_monitor(name: str) -> bool:
    """Whether this tool records devices while another one tests them."""
    return tool(name).is_monitor


def reads_in_pieces(name: str, file: str) -> bool:
    """Whether this tool's plugin reads a large file of that name without holding it."""
    return tool(name).reads_in_pieces(file)


def parse_output(name: str, output: Output) -> Parsed:
    """Parse an output with the tool of that name: the one way in which parsers are called. Raises
    ToolError or OutputError, whatever the parser raises: a defect of a parser ends one result and
    never its caller. A result with an impossible figure is partial, with a warning.
    """
    try:
        parsed = tool(name).parse(cleaned_output(output))
    except (ToolError, OutputError, MemoryError):
        raise
    except Exception as error:
        log.exception("the parser of %s failed", name)
        reason = f"{type(error).__name__}: {error}"
        raise OutputError(
            message("The output could not be read (%(reason)s).", reason=reason[:200])
        ) from error
    return without_impossible_figures(parsed)


def recognise(data: bytes) -> Tool | None:
    """The tool whose output this looks like, None if no plugin claims it."""
    if len(data) <= MAX_CLEANED:
        data = cleaned_text(data)
    return next((plugin for plugin in TOOLS.values() if plugin.recognises(data)), None)

"""Registry of all tools: built-in plugins, and plugins of other packages."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib.metadata import entry_points

from apps.tools.messages import message
from apps.tools.values import Parameters

from . import (
    blkdiscard,
    dd,
    elbencho,
    fio,
    iometer,
    iostat,
    iozone,
    iperf,
    rados,
    rbd,
    vdbench,
    warp,
)
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
    for plugin in (
        fio,
        rados,
        rbd,
        iperf,
        iozone,
        dd,
        iostat,
        iometer,
        elbencho,
        warp,
        vdbench,
        blkdiscard,
    )
}
_PLUGINS, PLUGIN_ERRORS = load_plugins(entry_points(group=GROUP))
TOOLS: Mapping[str, Tool] = {**BUILT_IN, **_PLUGINS, **BUILT_IN}
"""Built-in tools, then those of other packages; the first that recognises an output parses it."""


def tool(name: str) -> Tool:
    """Return the plugin of that name, or a MissingPlugin if it is not installed."""
    return TOOLS.get(name) or MissingPlugin(name)


def preparing(kind: str) -> tuple[str, Parameters] | None:
    """Return the tool and the parameters for this kind of preconditioning, else None."""
    matches = ((plugin.name, plugin.prepares.get(kind)) for plugin in TOOLS.values())
    return next(((name, params) for name, params in matches if params is not None), None)


def role_of(name: str, param: str) -> Role | None:
    """Return the role of a tool's parameter; None if unknown."""
    plugin = TOOLS.get(name)
    if plugin is None:
        return None
    field = (plugin.params.fields() if plugin.params else {}).get(param)
    return plugin.roles.get(param) if field is None else field.role


def words_of_all(name: str, param: str) -> str:
    """Return the text for an omitted size parameter, such as "the whole disk".

    Empty if the parameter is no size.
    """
    plugin = TOOLS.get(name)
    field = (plugin.params.fields() if plugin is not None and plugin.params else {}).get(param)
    return str(field.empty_label) if field is not None and field.role == "size" else ""


def param_with(name: str, role: Role) -> str:
    """Return the first parameter of this tool with a role; empty if there is none."""
    plugin = TOOLS.get(name)
    fields = plugin.params.fields() if plugin is not None and plugin.params else {}
    return next((param for param, field in fields.items() if field.role == role), "")


def size_params(name: str) -> frozenset[str]:
    """Return the parameters of this tool in bytes, of its plans and of its outputs."""
    plugin = TOOLS.get(name)
    if plugin is None:
        return frozenset()
    fields = plugin.params.fields() if plugin.params else {}
    from_outputs = {param for param, role in plugin.roles.items() if role in ("block", "size")}
    return frozenset(
        from_outputs | {param for param, field in fields.items() if field.kind == "size"}
    )


def cpus_param(name: str) -> str:
    """Return the parameter for this tool's CPUs; empty if there is none."""
    plugin = TOOLS.get(name)
    fields = plugin.params.fields() if plugin is not None and plugin.params else {}
    return next((param for param, field in fields.items() if field.kind == "cpus"), "")


def is_concurrency(name: str, param: str) -> bool:
    """Return True if a larger value means more operations at the same time."""
    return role_of(name, param) in CONCURRENCY


def load_params() -> dict[str, str]:
    """Return names and labels of the whole-number parameters of all tools that set the load."""
    return {
        name: field.label
        for plugin in TOOLS.values()
        for name, field in (plugin.params.fields() if plugin.params else {}).items()
        if field.kind == "int" and field.role in LOAD
    }


def param_names() -> list[str]:
    """Return the sorted names of all parameters of all tools."""
    plugins = [plugin.params for plugin in TOOLS.values() if plugin.params]
    return sorted({name for params in plugins for name in params.fields()})


def accesses_at_random(name: str, params: Parameters) -> bool:
    """Return True if a test with these parameters accesses at random."""
    plugin = TOOLS.get(name)
    return plugin is not None and any(
        role_of(name, param) == "operation" and value in plugin.random
        for param, value in params.items()
    )


def is_warm(name: str, operation: str) -> bool:
    """Return True if an operation reads or writes data that the test used just before."""
    plugin = TOOLS.get(name)
    return plugin is not None and operation in plugin.warm_operations


def is_from_page_cache(
    name: str, operation: str, params: Parameters, memory_bytes: int | None
) -> bool:
    """Return True if an operation used the page cache of a host with this memory.

    Known to be so: the test is not direct, and its data were used just before and fit in memory.
    """
    plugin = TOOLS.get(name)
    if plugin is None or not is_warm(name, operation) or memory_bytes is None:
        return False
    size = params.get(param_with(name, "size"))
    jobs = params.get(param_with(name, "jobs")) or 1
    if params.get("direct") is not False or not isinstance(size, int) or not isinstance(jobs, int):
        return False
    return size * jobs <= memory_bytes


def packages() -> dict[str, str]:
    """Return the programs of all plugins that a host can install -> Debian package."""
    plugins = TOOLS.values()
    return {
        name: package for plugin in plugins for name, package in plugin.programs.items() if package
    }


def programs() -> list[str]:
    """Return the programs of all plugins."""
    return [name for plugin in TOOLS.values() for name in plugin.programs]


def measures_network(name: str) -> bool:
    """Return True if the tool's rates are a network's, displayed in Gbit/s and MB/s."""
    plugin = TOOLS.get(name)
    return plugin is not None and plugin.targets == ("pair",)


def bypasses_block_layer(name: str, params: Parameters) -> bool:
    """Return True if the kernel's counters of a disk do not see the commands of this test."""
    return tool(name).bypasses_block_layer(params)


def is_monitor(name: str) -> bool:
    """Return True if this tool records devices while another tool tests them."""
    return tool(name).is_monitor


def reads_in_pieces(name: str, file: str) -> bool:
    """Return True if this tool's plugin parses a large file of that name in chunks."""
    return tool(name).reads_in_pieces(file)


def parse_output(name: str, output: Output) -> Parsed:
    """Parse an output with the tool of that name.

    All parsers are called through this function. A result with an impossible value becomes partial,
    with a warning.

    Raises: ToolError or OutputError, also for any other exception of a parser.
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
    """Return the first tool that recognises the output; None if there is none."""
    if len(data) <= MAX_CLEANED:
        data = cleaned_text(data)
    return next((plugin for plugin in TOOLS.values() if plugin.detect(data)), None)

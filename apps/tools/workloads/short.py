"""Parts of a test's label, for any tool and origin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apps.tools.added_params import tool_params
from apps.tools.background import background_part
from apps.tools.errors import ParamsError
from apps.tools.fields import Field, Params, Part
from apps.tools.registry import size_params
from apps.tools.tool import Tool
from apps.tools.values import Parameters
from apps.tools.workload_naming import (
    OPERATIONS,
    joined,
    known_parts,
    operation_part,
    several,
    size_part,
)


def short_parts(plugin: Tool, known: Parameters) -> tuple[Part, ...]:
    """Return the parts of what is known of a test, without defaults that are not stated.

    If the tool has no label for the test, the parts are all known parameters.
    """
    own = tool_params(known)
    parts = tuple(_tool_parts(plugin, own))
    parts = parts or tuple(known_parts(_in_order(plugin, own), size_params(plugin.name)))
    return (*parts, *background_part(known))


def stored_label(plugin: Tool, known: Parameters) -> str:
    """Return the label that a workload is stored under, with the name of its job."""
    parts = short_parts(plugin, known)
    names = {name: known[name] for name in ("job", "group") if name in known}
    names_in_parts = {part.name for part in parts}
    return joined(
        [*parts, *known_parts({n: v for n, v in names.items() if n not in names_in_parts}, ())]
    )


def _tool_parts(plugin: Tool, known: Parameters) -> Iterator[Part]:
    if plugin.params is None:
        yield from _by_role(plugin, known)
    else:
        parts_of = getattr(
            plugin.params, "parts_of", None
        )  # optional for plugins of other packages
        yield from (parts_of(known) if parts_of else ()) or _of_whole_test(
            plugin.params, plugin, known
        )


def _of_whole_test(cls: type[Params], plugin: Tool, known: Parameters) -> tuple[Part, ...]:
    """Return the parts of a tool that labels only tests with all parameters known."""
    fields = fields_of(plugin)
    try:
        whole = cls.from_raw({name: known[name] for name in fields if name in known})
    except ParamsError:
        return ()
    later = getattr(cls, "later", {})
    parts = tuple(part for part in whole.parts() if part.name in known or part.name in later)
    return parts if parts and parts[0].name == next(iter(fields)) else ()


def _by_role(plugin: Tool, known: Parameters) -> Iterator[Part]:
    """Yield the parts of an import-only tool by the roles of its parameters."""
    operation = tuple(operation_part(known, {}))
    if not operation or not plugin.roles:
        return
    yield from operation
    for name, role in plugin.roles.items():
        if role == "block":
            yield from size_part(known, name, close=True)
        elif role == "depth" and known.get(name) is not None:
            yield Part(name, known[name], f"QD {known[name]}")
        elif role == "jobs":
            yield from several(known, name, f"%(count)s {name}")


def fields_of(plugin: Tool) -> Mapping[str, Field]:
    """Return a tool's parameters; empty if plans cannot use it."""
    return plugin.params.fields() if plugin.params is not None else {}


def _in_order(plugin: Tool, known: Parameters) -> Parameters:
    order = {name: index for index, name in enumerate((*OPERATIONS, *fields_of(plugin)))}
    return {n: known[n] for n in sorted(known, key=lambda n: (order.get(n, len(order)), n))}

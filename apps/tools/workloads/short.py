"""The parts of a test's label, whatever tool and origin it has. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apps.tools.base import Field, Params, ParamsError, Part, Tool
from apps.tools.registry import size_params
from apps.tools.values import Parameters

from .naming import OPERATIONS, joined, known_parts, operation_part, several, size_part


def short_parts(plugin: Tool, known: Parameters) -> tuple[Part, ...]:
    """The parts of what is known of a test: never a default that nobody stated. All that is known
    where its form says nothing.
    """
    parts = tuple(_own(plugin, known))
    return parts or tuple(known_parts(_in_order(plugin, known), size_params(plugin.name)))


def stored_label(plugin: Tool, known: Parameters) -> str:
    """The label that a workload is stored under: where it stands alone the name of its job says
    more than none.
    """
    parts = short_parts(plugin, known)
    names = {name: known[name] for name in ("job", "group") if name in known}
    said = {part.name for part in parts}
    return joined([*parts, *known_parts({n: v for n, v in names.items() if n not in said}, ())])


def _own(plugin: Tool, known: Parameters) -> Iterator[Part]:
    if plugin.params is None:
        yield from _by_role(plugin, known)
    else:
        parts_of = getattr(plugin.params, "parts_of", None)  # a package's tool may have none
        yield from (parts_of(known) if parts_of else ()) or _of_whole_test(
            plugin.params, plugin, known
        )


def _of_whole_test(cls: type[Params], plugin: Tool, known: Parameters) -> tuple[Part, ...]:
    """The parts of a tool that labels only tests of which everything is known."""
    fields = fields_of(plugin)
    try:
        whole = cls.from_raw({name: known[name] for name in fields if name in known})
    except ParamsError:
        return ()
    later = getattr(cls, "later", {})
    parts = tuple(part for part in whole.parts() if part.name in known or part.name in later)
    return parts if parts and parts[0].name == next(iter(fields)) else ()


def _by_role(plugin: Tool, known: Parameters) -> Iterator[Part]:
    """The parts of a tool that is never run, by the roles of what its outputs state."""
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
            yield from several(known, name, name)


def fields_of(plugin: Tool) -> Mapping[str, Field]:
    """A tool's parameters; empty where plans cannot use it."""
    return plugin.params.fields() if plugin.params is not None else {}


def _in_order(plugin: Tool, known: Parameters) -> Parameters:
    order = {name: place for place, name in enumerate((*OPERATIONS, *fields_of(plugin)))}
    return {n: known[n] for n in sorted(known, key=lambda n: (order.get(n, len(order)), n))}

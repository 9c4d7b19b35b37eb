"""Tools of other packages: those that are loaded, and those that cannot be."""

from __future__ import annotations

from apps.tools.registry import BUILT_IN, PLUGIN_ERRORS, TOOLS
from benchlab.ops.findings import Finding, ok, wrong


def tools() -> list[Finding]:
    """One finding for all loaded tools, one for each error; none without such packages."""
    plugins = [tool.label for name, tool in TOOLS.items() if name not in BUILT_IN]
    todo = "mend or remove the package, then start benchlab anew"
    errors = [
        wrong(f"the tool {name} cannot be loaded: {error}", todo)
        for name, error in PLUGIN_ERRORS.items()
    ]
    return [*([ok(f"tools of other packages: {', '.join(plugins)}")] if plugins else []), *errors]

"""Check external tool plugins: loaded and failed ones."""

from __future__ import annotations

from apps.tools.registry import BUILT_IN, PLUGIN_ERRORS, TOOLS
from benchlab.ops.findings import Finding, ok, wrong


def tools() -> list[Finding]:
    """Return one finding for all loaded plugins and one per error; none without plugins."""
    plugins = [tool.label for name, tool in TOOLS.items() if name not in BUILT_IN]
    todo = "mend or remove the package, then start benchlab anew"
    errors = [
        wrong(f"the tool {name} cannot be loaded: {error}", todo)
        for name, error in PLUGIN_ERRORS.items()
    ]
    return [*([ok(f"tools of other packages: {', '.join(plugins)}")] if plugins else []), *errors]

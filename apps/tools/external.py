"""Tools of other packages, registered under the entry point group `benchlab.tools`."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from importlib.metadata import EntryPoint

from apps.tools.messages import message

from .errors import OutputError
from .parse_result import Output, Parsed
from .plugin import ToolPlugin
from .tool import Tool

log = logging.getLogger(__name__)
GROUP = "benchlab.tools"


def load_plugins(points: Iterable[EntryPoint]) -> tuple[dict[str, Tool], dict[str, str]]:
    """Return the tools by name, and the error of each entry point that cannot be loaded."""
    tools: dict[str, Tool] = {}
    errors: dict[str, str] = {}
    for point in points:
        try:
            plugin: Tool = point.load()
            tools[plugin.name] = plugin
        except Exception as error:
            log.exception("the tool %s cannot be loaded", point.name)
            errors[point.name] = f"{type(error).__name__}: {error}"
    return tools, errors


class MissingPlugin(ToolPlugin):
    """Replacement of a tool whose package is not installed; its stored results stay visible."""

    parser_version = 0

    def __init__(self, name: str) -> None:
        self.name = self.label = name
        self.refusal = message("The package with the tool %(tool)s is not installed.", tool=name)

    def detect(self, data: bytes) -> bool:
        """Return False."""
        return False

    def parse(self, output: Output) -> Parsed:
        """Refuse to parse.

        Raises: OutputError always.
        """
        raise OutputError(self.refusal)

"""Plugin that parses a tool's results and runs no commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from apps.tools.fields import Params, Role
from apps.tools.parse_result import Output, Parsed
from apps.tools.plugin import ToolPlugin


@dataclass(frozen=True, eq=False)  # hashable by identity: a key of caches
class ImportOnlyTool(ToolPlugin):
    """Implementation of `apps.tools.tool.Tool` by functions.

    `refusal`: the reason why plans cannot run it.
    """

    name: str
    label: str
    parser_version: int
    detector: Callable[[bytes], bool]
    line_owner: Callable[[str], bool]
    parser: Callable[[Output], Parsed]
    refusal: str
    params: type[Params] | None = None
    programs: Mapping[str, str] = field(default_factory=dict)
    random: frozenset[str] = frozenset()
    warm_operations: frozenset[str] = frozenset()
    operations: tuple[str, ...] = ("read", "write")
    roles: Mapping[str, Role] = field(default_factory=dict)
    is_monitor: bool = False

    def detect(self, data: bytes) -> bool:
        """Return True if these bytes look like this tool's results."""
        return self.detector(data)

    def owns_line(self, line: str) -> bool:
        """Return True if only this tool writes such a line."""
        return self.line_owner(line)

    def parse(self, output: Output) -> Parsed:
        """Parse an imported file given as "stdout"."""
        return self.parser(output)

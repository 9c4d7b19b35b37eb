"""An output that holds nothing is soon said to, however much of it there is."""

from __future__ import annotations

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Output
from apps.tools.registry import TOOLS
from apps.tools.tool import Tool

SIZE = 300_000
NOTHING = {
    "lines": b"\n" * SIZE,
    "spaces": b" " * SIZE,
    "tabs and lines": b"\t\n" * (SIZE // 2),
    "braces": b"{" * SIZE,
    "digits": b"1" * SIZE,
    "commas": b"," * SIZE,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("plugin", TOOLS.values(), ids=TOOLS)
@pytest.mark.parametrize("kind", NOTHING)
def test_blanks_take_no_time(plugin: Tool, kind: str) -> None:
    """A search that begins anew at every blank line would take hours."""
    assert not plugin.detect(NOTHING[kind])
    with pytest.raises((OutputError, ToolError)):
        plugin.parse(Output({"stdout": b"x" + NOTHING[kind], "stderr": b""}))

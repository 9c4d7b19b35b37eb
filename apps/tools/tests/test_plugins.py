"""Tools of other packages: loaded when they can be, named with their error when they cannot."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import cast

import pytest

from apps.tools.errors import OutputError, ParamsError
from apps.tools.external import GROUP, MissingPlugin, load_plugins
from apps.tools.fields import Params
from apps.tools.parse_result import Output, Parsed
from apps.tools.plugin import ToolPlugin
from apps.tools.registry import BUILT_IN, TOOLS, tool
from apps.tools.targets import ToolTarget


class Mine(ToolPlugin):
    """A tool that reads "mine 5"."""

    name = "mine"
    label = "Mine"
    parser_version = 1

    def detect(self, data: bytes) -> bool:
        return data.startswith(b"mine")

    def parse(self, output: Output) -> Parsed:
        return Parsed(self.name, "text", None, ())


def test_load_plugins_with_broken_package_loads_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = ModuleType("their_package")
    module.TOOL = Mine()  # type: ignore[attr-defined] # a made-up module
    monkeypatch.setitem(sys.modules, "their_package", module)
    names = {
        "mine": "their_package:TOOL",
        "other": "their_package:OTHER",
        "missing": "no_such_package_at_all:TOOL",
    }
    points = [EntryPoint(name, value, GROUP) for name, value in names.items()]
    tools, errors = load_plugins(points)
    assert list(tools) == ["mine"]
    assert tools["mine"].detect(b"mine 5")
    assert errors["other"].startswith("AttributeError")
    assert errors["missing"].startswith("ModuleNotFoundError")


def test_tools_built_in_come_first() -> None:
    assert list(TOOLS)[: len(BUILT_IN)] == list(BUILT_IN)


def test_tool_that_is_not_installed_refuses_to_parse_and_run() -> None:
    gone = tool("no-such-tool")
    assert isinstance(gone, MissingPlugin)
    with pytest.raises(OutputError):
        gone.parse(Output({"stdout": b"x"}))
    with pytest.raises(ParamsError):
        gone.build_procedure(cast(Params, None), ToolTarget("disk", "x"))

"""Knowledge of a tool is in its plugin: no other module names a tool, its programs or its
parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.tools.registry import TOOLS

PROJECT = Path(__file__).parents[3]
ROOMS = PROJECT / "apps" / "tools"
NAMES = {*TOOLS, *(program for plugin in TOOLS.values() for program in plugin.programs)}
PARAMETERS = {"iodepth", "numjobs", "cpus_allowed", "rwmixread", "record_size", "file_size"}
# Where a tool's name is meant, and why.
ALLOWED = {
    "apps/remote/agent/host/tool_versions.py": "the agent asks only what it lists itself",
    "apps/remote/agent/host/tool_options.py": "the agent asks only what it lists itself",
    "apps/remote/agent/host/install.py": "the agent installs only what it lists itself",
    "apps/remote/agent/ceph/rbd_image.py": "images are made by Ceph's own program",
    "apps/tools/pools/": "what a pool needs is asked and filled by Ceph's own programs",
    "apps/tools/step_import/unneeded.py": "commands beside benchmarks, each with its reason",
    "apps/tools/registry.py": "where the built-in plugins are registered",
    "apps/acceptance/domain/steps.py": "drives are filled, verified and measured by fio",
    "benchlab/ops/demo/": "the demonstration is of fio",
    "benchlab/local/tools.py": "the demonstration's fio",
}


def modules() -> Iterator[Path]:
    """Every module outside the plugins and the tests."""
    for folder in ("apps", "benchlab"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            inside = ROOMS in path.parents and path.relative_to(ROOMS).parts[0] in TOOLS
            parts = {*path.relative_to(PROJECT).parts}
            if not inside and parts.isdisjoint({"tests", "agent_tests", "migrations"}):
                yield path


def named(path: Path) -> list[str]:
    """Lines in which a module says the name of a tool, a program or a parameter, or imports from a
    plugin.
    """
    return [
        f"{path.relative_to(PROJECT)}:{getattr(node, 'lineno', 0)}"
        for node in ast.walk(ast.parse(path.read_text()))
        if _names(node)
    ]


def _names(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in NAMES | PARAMETERS
    if isinstance(node, ast.ImportFrom):
        inside = (node.module or "").removeprefix("apps.tools.").split(".")[0]
        names = {each.name for each in node.names}
        return inside in TOOLS or bool(names & set(TOOLS) and (node.level or inside == "apps"))
    return False


def test_no_other_module_names_a_tool_or_its_parameters() -> None:
    found = []
    for path in modules():
        if not str(path.relative_to(PROJECT)).startswith(tuple(ALLOWED)):
            found += named(path)
    assert found == []


@pytest.mark.parametrize("place", ALLOWED)
def test_what_is_allowed_is_needed(place: str) -> None:
    """An exception that nothing needs any more goes."""
    path = PROJECT / place
    paths = [path] if path.is_file() else [each for each in modules() if path in each.parents]
    assert any(named(each) for each in paths)


def test_the_check_sees_names_and_imports(tmp_path: Path) -> None:
    for line in ('tool = "fio"', "from apps.tools.fio.params import FioParams", 'p["iodepth"]'):
        assert any(map(_names, ast.walk(ast.parse(line)))), line
    for line in ("from os import path", 'tool = "fiord"'):
        assert not any(map(_names, ast.walk(ast.parse(line)))), line

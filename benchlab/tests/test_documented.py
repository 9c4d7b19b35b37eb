"""The documents explain everything that the code reads, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.tools.metrics import METRICS
from apps.tools.registry import TOOLS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ENVIRONMENT = DOCS / "deployment" / "environment.md"
READERS = re.compile(r"env_\w+|_kept_secret|getenv")
NAME = re.compile(r"[A-Z][A-Z0-9_]+")
OURS = re.compile(r"\bBENCHLAB_[A-Z_]*[A-Z]\b")
# The machine's, Django's and other programs' variables, which are theirs to explain.
OTHERS = {
    *("PATH", "HOME", "LANG", "LC_ALL", "SUDO_UID", "SUDO_GID", "PGPASSWORD", "DEBIAN_FRONTEND"),
    *("DJANGO_SETTINGS_MODULE", "PYTEST_XDIST_WORKER", "SSH_AUTH_SOCK", "VIRTUAL_ENV"),
    "PYTHONDONTWRITEBYTECODE",
}
SHELL = [*(ROOT / "bin").iterdir(), *(ROOT / "docker").rglob("*"), ROOT / "docker-compose.yml"]


def sources() -> list[Path]:
    """The product's Python files, without tests."""
    found = [*(ROOT / "apps").rglob("*.py"), *(ROOT / "benchlab").rglob("*.py")]
    kept = [p for p in found if not {"tests", "agent_tests"} & set(p.relative_to(ROOT).parts)]
    return sorted(p for p in kept if p.name not in ("conftest.py", "pytest_servers.py"))


def variables_read(path: Path) -> set[str]:
    """Names of environment variables that this file reads or sets."""
    tree = ast.parse(path.read_text())
    found = {name for node in ast.walk(tree) for name in _names(node)}
    found |= {m for node in ast.walk(tree) if isinstance(node, ast.Constant)
              for m in _ours(node.value)}  # fmt: skip
    return {name for name in found if NAME.fullmatch(name)} - OTHERS


def _ours(value: object) -> list[str]:
    return [value] if isinstance(value, str) and OURS.fullmatch(value) else []


def _names(node: ast.AST) -> Iterator[str]:
    """The literal first argument of env_str("X"), os.environ.get("X"), os.environ["X"]."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
        yield from _literal(node.slice)
    if isinstance(node, ast.Call) and node.args:
        called = ast.unparse(node.func)
        if READERS.fullmatch(called.split(".")[-1]) or called.startswith("os.environ."):
            yield from _literal(node.args[0])


def _literal(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def all_variables() -> set[str]:
    found = set().union(*(variables_read(path) for path in sources()))
    for path in SHELL:
        if path.is_file():
            found |= set(OURS.findall(path.read_text()))
    return found


def headings(path: Path) -> list[str]:
    return re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)


def test_every_environment_variable_has_a_heading_and_every_heading_a_reader() -> None:
    explained = {text for text in headings(ENVIRONMENT) if NAME.fullmatch(text)}
    read = all_variables()
    assert len(read) > 20
    assert not read - explained, f"{ENVIRONMENT.name} does not explain {sorted(read - explained)}"
    assert not explained - read, f"{ENVIRONMENT.name}: nobody reads {sorted(explained - read)}"


def test_the_reader_of_sources_sees_every_way_to_read_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        'import os\nenv_int("AA_A", 1)\nos.environ.get("BB_B")\nos.environ["CC_C"]\n'
        'os.environ.setdefault("DD_D", "")\nos.getenv("EE_E")\nNAME = "BENCHLAB_FF"\n'
    )
    assert variables_read(file) == {"AA_A", "BB_B", "CC_C", "DD_D", "EE_E", "BENCHLAB_FF"}


@pytest.mark.parametrize("name", TOOLS)
def test_every_tool_has_a_page_that_names_its_parameters(name: str) -> None:
    text = "".join(page.read_text() for page in (DOCS / "tools").glob(f"{name}*.md"))
    params = TOOLS[name].params
    missing = [key for key in (params.fields() if params else {}) if f"`{key}`" not in text]
    assert missing == []


def test_every_metric_is_on_its_page() -> None:
    text = (DOCS / "metrics.md").read_text()
    assert [key for key in METRICS if f"| `{key}` |" not in text] == []

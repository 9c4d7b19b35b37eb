"""Names use the terms of docs/glossary.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
BANNED = re.compile(
    r"(^|_)(said|told|kept|lent|loan|asked|stamp|room|unproven|silent|diary|behind|beside|apart"
    r"|most|least|patience|moment|middle)(_|$)",
    re.IGNORECASE,
)
BANNED_VARIABLES = re.compile(
    r"(^|_)(said|told|kept|lent|loan|asked|room|patience)(_|$)", re.IGNORECASE
)


def test_names_use_glossary_terms() -> None:
    assert list(_banned_names()) == []


def test_variables_use_glossary_terms() -> None:
    names = [
        (str(path.relative_to(PROJECT)), name)
        for path in _production_files()
        for name in sorted(_variables(path.read_text()))
        if BANNED_VARIABLES.search(name)
    ]
    assert names == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(told): ...",
        "def f(*, told=None): ...",
        "async def f(**told): ...",
        "f = lambda told: 1",
        "told = 1",
        "for told in x: ...",
        "def f(x):\n    self.told = x",
        "def f(x):\n    return [told for told in x]",
        "if told := x: ...",
        "with x as told: ...",
        "try: ...\nexcept E as told: ...",
        "match x:\n    case [told, *_]: ...",
        "def f(x):\n    class C:\n        def g(self):\n            told: int = 1",
    ],
)
def test_variables_with_every_binding_are_found(source: str) -> None:
    assert "told" in _variables(source)


def test_variables_without_fields_and_uses() -> None:
    source = "class Row:\n    told: str\n    kept = 1\nprint(told, row.kept, said=1)"
    assert _variables(source) == set()


def _banned_names() -> Iterator[tuple[str, str]]:
    for path in sorted((PROJECT / "apps").rglob("*.py")):
        if "migrations" in path.parts:
            continue
        app = path.relative_to(PROJECT / "apps").parts[0]
        names = {path.stem} | {
            re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name)
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
        yield from ((app, name) for name in names if BANNED.search(name))


def _production_files() -> Iterator[Path]:
    for folder in ("apps", "benchlab"):
        for path in sorted((PROJECT / folder).rglob("*.py")):
            parts = path.relative_to(PROJECT).parts
            is_test = any(part in ("tests", "agent_tests", "migrations") for part in parts[:-1])
            is_test |= path.name.startswith("test_") or path.name == "conftest.py"
            if not is_test:
                yield path


def _variables(source: str) -> set[str]:
    """Return the bound variables, parameters and attributes, without the fields of classes."""
    tree = ast.parse(source)
    fields = {
        id(target)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for line in node.body
        for target in _targets(line)
    }
    nodes = (node for node in ast.walk(tree) if id(node) not in fields)
    return {name for node in nodes if (name := _bound(node))}


def _targets(line: ast.stmt) -> list[ast.expr]:
    if isinstance(line, ast.AnnAssign):
        return [line.target]
    return line.targets if isinstance(line, ast.Assign) else []


def _bound(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            return name
        case ast.arg(arg=name) | ast.ExceptHandler(name=name):
            return name
        case ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
    return None

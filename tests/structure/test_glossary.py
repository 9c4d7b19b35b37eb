"""Names use the terms of docs/glossary.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
BANNED = re.compile(
    r"(^|_)(said|told|kept|lent|loan|asked|stamp|room|unproven|silent|diary|behind|beside|apart"
    r"|most|least|patience|moment|middle)(_|$)",
    re.IGNORECASE,
)


def test_names_use_glossary_terms() -> None:
    assert list(_banned_names()) == []


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

"""Rows are written by services alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
NOT_PRODUCT = {"tests", "agent_tests", "migrations"}
WITHOUT_DATABASE = {"tools", "remote", "stats"}
WRITES = {
    "save", "create", "bulk_create", "bulk_update", "update", "delete", "get_or_create",
    "update_or_create",
}  # fmt: skip
ROWS = re.compile(r"objects|_default_manager|_set\b|filter\(|exclude\(|rows\b|queryset")
SQL = re.compile(r"\b(INSERT INTO|UPDATE|DELETE FROM)\b")
NAMED_SERVICES = {"services", "services.py"}


def test_only_services_write_rows() -> None:
    assert sorted(_writes()) == []


def _writes() -> Iterator[str]:
    for path in (PROJECT / "apps").glob("*/**/*.py"):
        parts = path.relative_to(PROJECT / "apps").parts
        skipped = NOT_PRODUCT | NAMED_SERVICES
        if parts[0] in WITHOUT_DATABASE or skipped & set(parts):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _is_write(node):
                yield f"{'/'.join(parts)}:{node.lineno}: {ast.unparse(node)[:60]}"


def _is_write(call: ast.Call) -> bool:
    """Return True for a call that writes rows; a model's own save() is part of a service's call."""
    if not isinstance(call.func, ast.Attribute):
        return False
    receiver = ast.unparse(call.func.value)
    if call.func.attr in {"execute", "executemany"}:
        return bool(SQL.search(ast.unparse(call)))
    if call.func.attr == "save":
        return receiver != "super()" and not call.args and "must_create" not in ast.unparse(call)
    return call.func.attr in WRITES and bool(ROWS.search(receiver))


def test_a_write_outside_services_is_found() -> None:
    (call,) = (node for node in ast.walk(ast.parse("Run.objects.filter(pk=1).update(note='')"))
               if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
               and node.func.attr == "update")  # fmt: skip
    assert _is_write(call)

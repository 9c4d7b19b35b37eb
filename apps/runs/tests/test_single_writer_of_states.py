"""States of runs, cases and attempts are written by apps/runs/services/transitions.py alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

APPS = Path(__file__).parents[2]
STATES = ("RunState", "CaseState", "AttemptState")
WRITERS = {
    "runs/services/transitions.py",
    "execution/services/attempts_create.py",  # copies what cases_transition wrote into its rows
    "execution/attempt/driven_job.py",  # states of jobs, which a host reports
}


def modules() -> Iterator[tuple[str, str]]:
    """Modules of the product that name a state of these models."""
    for path in sorted(APPS.rglob("*.py")):
        name = path.relative_to(APPS).as_posix()
        if "tests/" in name or "migrations/" in name or name in WRITERS:
            continue
        text = path.read_text()
        if any(word in text for word in STATES):
            yield name, text


def writes(text: str) -> Iterator[int]:
    """Lines that assign a `state` attribute, update it in a query or save it by name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_is_state(part) for target in targets for part in ast.walk(target)):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("update", "aupdate", "update_or_create"):
                yield from (node.lineno for word in node.keywords if word.arg == "state")
            if node.func.attr in ("save", "asave", "bulk_update"):
                yield from (
                    node.lineno
                    for part in ast.walk(node)
                    if isinstance(part, ast.Constant) and part.value == "state"
                )


def _is_state(part: ast.AST) -> bool:
    if not isinstance(part, ast.Attribute) or part.attr != "state":
        return False
    return isinstance(part.ctx, ast.Store) and getattr(part.value, "id", "") != "self"


def test_states_elsewhere_are_only_read() -> None:
    found = [f"{name}:{line}" for name, text in modules() for line in writes(text)]
    assert found == []


def test_writes_of_every_form_are_seen() -> None:
    lines = (
        "row.state = RunState.LOST",
        "rows.update(state=1)",
        "row.save(update_fields=['state'])",
    )
    assert list(writes("\n".join(lines))) == [1, 2, 3]

"""Files and functions that pages of the documentation name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BELOW = (
    "",
    "apps/",
    "apps/tools/",
    "apps/analysis/",
    "apps/remote/",
    "apps/remote/agent/",
    "benchlab/",
)
NAMED = re.compile(r"`([\w/]+/\w+\.py)(?::[^`]*)?`(?: \((`\w[^)]*`)\))?")


PAGES = [("development/architecture", 45), ("development/agent", 10), ("usage/notes", 40)]


def named(page: str) -> list[tuple[str, str]]:
    """Each path of a page with the words in parentheses behind it."""
    text = (ROOT / f"docs/{page}.md").read_text()
    return [(found[1], found[2] or "") for found in NAMED.finditer(text)]


def file_of(path: str) -> Path | None:
    return next((ROOT / (at + path) for at in BELOW if (ROOT / (at + path)).is_file()), None)


@pytest.mark.parametrize(("page", "least"), PAGES)
def test_every_file_that_is_named_is_there(page: str, least: int) -> None:
    paths = [path for path, _words in named(page)]
    assert len(paths) >= least
    assert [path for path in paths if file_of(path) is None] == []


def test_the_functions_behind_a_file_are_in_it() -> None:
    """As in "`plans/services.py` (`plan_create`)": the ways of a figure, a parameter, a setting."""
    missing, checked = [], 0
    for path, words in named("development/architecture"):
        file = file_of(path)
        for name in re.findall(r"`(?:\w+\.)?(\w+)`", words):
            checked += 1
            if file is None or not re.search(rf"\b{name}\b", file.read_text()):
                missing.append((path, name))
    assert missing == []
    assert checked > 15

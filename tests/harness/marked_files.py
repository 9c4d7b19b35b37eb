"""Files of tests by the marks that stand in their text: each call of `bin/test` collects its own
files alone. To collect all takes 15 to 30 s of CPU in each of its processes.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tests", "apps", "benchlab", "client")
SLOW = ("e2e", "browser", "needs_root")
EXTENDED = ("extended",)


def files_with(marks: Iterable[str]) -> list[str]:
    """The test files that name one of these marks, as arguments of pytest."""
    wanted = set(marks)
    return [file for file in _files() if wanted & marks_in(file)]


@functools.cache
def marks_in(file: str) -> frozenset[str]:
    """The marks that a file names."""
    return frozenset(re.findall(r"\bmark\.(\w+)", (ROOT / file).read_text()))


def _files() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("test_*.py")):
            yield str(path.relative_to(ROOT))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a mark that a test has from elsewhere: no call would collect its file."""
    hidden = {
        f"{item.location[0]} has the mark {name} without its name"
        for item in items
        for name in (*SLOW, *EXTENDED)
        if item.get_closest_marker(name) and name not in marks_in(item.nodeid.partition("::")[0])
    }
    if hidden:
        # A worker of xdist ends without its message.
        print("\n".join(sorted(hidden)), file=sys.__stderr__, flush=True)
        raise pytest.UsageError("; ".join(sorted(hidden)))

"""Which files of tests a call with `-m` reads at all.

The processes of the end-to-end tests need a seventh of the files; to read the others cost each of
them as much as a dozen tests.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

OWN = ("e2e", "browser", "needs_root")
"""The marks that choose. A file whose tests have one says so itself, or it would not be read."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass by a file in which no test can be chosen, unless the command line names it."""
    wanted = config.option.markexpr
    if not wanted or collection_path.suffix != ".py" or _is_named(collection_path, config):
        return None
    return True if not may_hold(collection_path, wanted) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a mark that came from elsewhere than the test's own file. Raises UsageError."""
    for item in items:
        own = {mark.name for mark in item.iter_markers() if mark.name in OWN}
        if own and (silent := own - marks(item.path)):
            told = ", ".join(sorted(silent))
            raise pytest.UsageError(f"{item.path} has tests marked {told} and does not say so")


def may_hold(file: Path, wanted: str) -> bool:
    """Whether `-m wanted` may choose a test of this file: it does not ask for a mark of ours, or
    the file names one that it asks for.
    """
    asked = marks_asked(wanted)
    return asked is None or bool(asked & marks(file))


@functools.cache
def marks_asked(wanted: str) -> frozenset[str] | None:
    """The marks of which a test needs one to be chosen; None where one without may be."""
    names = frozenset(re.findall(r"\w+", wanted)) - {"and", "or", "not"}
    if not names <= frozenset(OWN):
        return None
    return None if Expression.compile(wanted).evaluate(lambda name, /, **_: False) else names


@functools.cache
def marks(file: Path) -> frozenset[str]:
    """The marks of ours that a file of tests names."""
    return frozenset(re.findall(r"\bmark\.(\w+)", file.read_text())) & frozenset(OWN)


def _is_named(path: Path, config: pytest.Config) -> bool:
    return any(Path(word.partition("::")[0]).resolve() == path for word in config.args)

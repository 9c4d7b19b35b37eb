"""Sentences for people are whole in the code, with named parts, so that they can be translated: one
that is put together of pieces at run time reaches no translator.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Packages whose sentences stand on pages as they are made. (What a run's diary and an attempt's
# reasons say is stored when it happens, in the language of the installation.)
ROOMS = ("plans", "analysis", "tuning", "inventory", "accounts")
MARKS = (
    *("_", "lazy", "_lazy", "gettext", "gettext_lazy", "gettext_noop", "ngettext"),
    *(
        "ngettext_lazy",
        "pgettext",
        "npgettext",
        "plural",
        "message",
        "plural_message",
        "TranslatableMessage",
    ),
)
PARTS = re.compile(r"%\(\w+\)[sd]")
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,},? [a-z]{2,}")
# Not for people: logs, assertions, and what a programmer did wrong.
SILENT = ("info", "warning", "error", "debug", "exception", "AssertionError", "ValueError")


def pieced(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each f-string that is a sentence."""
    for node in _spoken(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            text = "…".join(
                str(part.value) for part in node.values if isinstance(part, ast.Constant)
            )
            if SENTENCE.search(text):
                yield node.lineno, text


def _spoken(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree without what nobody but programmers reads."""
    if isinstance(node, ast.Assert):
        return
    if isinstance(node, ast.Call) and _name(node.func) in SILENT:
        return
    yield node
    for inner in ast.iter_child_nodes(node):
        yield from _spoken(inner)


def unmarked(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each sentence with named parts that `makemessages` does not find."""
    found = list(ast.walk(ast.parse(source)))
    calls = [node for node in found if isinstance(node, ast.Call) and _name(node.func) in MARKS]
    marked = {id(inner) for call in calls for inner in call.args}
    marked |= {id(node.value) for node in found if isinstance(node, ast.Expr)}  # docstrings
    for node in found:
        if not isinstance(node, ast.Constant) or id(node) in marked:
            continue
        text = node.value
        if isinstance(text, str) and PARTS.search(text) and SENTENCE.search(text):
            yield node.lineno, text


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def files() -> list[Path]:
    found = [path for room in ROOMS for path in (ROOT / "apps" / room).rglob("*.py")]
    # The API's own descriptions, commands and the table of retention are no pages.
    apart = {"tests", "migrations", "management", "api", "api.py", "retention.py", "simulation.py"}
    return [path for path in found if not apart & set(path.relative_to(ROOT).parts)]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('text = f"{disk} is not enrolled here."', 1),
        ('text = _("%(disk)s is not enrolled here.") % {"disk": disk}', 0),
        ('log.info(f"{disk} is not enrolled here.")', 0),
        ('name = f"{host}: {disk}"', 0),
    ],
)
def test_a_sentence_of_pieces_is_found(source: str, found: int) -> None:
    assert len(list(pieced(source))) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('text = "%(disk)s is not enrolled here."', 1),
        ('text = message("%(disk)s is not enrolled here.", disk="sda")', 0),
        ('TEXTS = {"a": gettext_noop("%(disk)s is not enrolled here.")}', 0),
        ('"""A docstring without parts is no sentence for people."""', 0),
    ],
)
def test_a_sentence_that_no_translator_is_given_is_found(source: str, found: int) -> None:
    assert len(list(unmarked(source))) == found


def test_every_sentence_with_parts_is_given_to_translators() -> None:
    apart = {"tests", "agent_tests", "migrations"}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in (ROOT / "apps").rglob("*.py")
        if not apart & set(path.parts)
        for line, text in unmarked(path.read_text())
    ]
    assert found == []


def test_no_sentence_is_put_together_of_pieces() -> None:
    assert len(files()) > 100
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in files()
        for line, text in pieced(path.read_text())
    ]
    assert found == []

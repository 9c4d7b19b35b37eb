"""The repository speaks of benchlab alone: no folders of one machine, no tracker's numbers."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = {".py", ".md", ".html", ".js", ".css", ".toml", ".txt", ".yml", ".yaml", ".sh", ""}
APART = {"var", ".git", "vendor", "samples", "node_modules", "__pycache__", ".hypothesis"}
# The letters in brackets keep this file from finding itself.
FOREIGN = {
    "a folder of one machine": re.compile(r"(?<![\w.}])/(?:wor[k]|roo[t]/\.pyenv|Us[e]rs)/"),
    "an issue's number": re.compile(r"(?i)\b(?:issu[e]|tick[e]t|PR) #?\d+\b|\(#\d{1,6}\)"),
    "how it was written": re.compile(
        r"(?i)\b(?:Clau[d]e|Chat[G]PT|Copil[o]t|language mo[d]el|as an A[I])\b"
    ),
    "a task left open": re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X])\b"),
}


def texts() -> list[Path]:
    """The repository's own text files."""
    found = [p for p in ROOT.rglob("*") if p.suffix in KINDS and not _apart(p)]
    return [p for p in found if p.is_file() and not p.is_symlink()]


def _apart(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return bool(APART & set(parts)) or any(part.endswith("_cache") for part in parts)


def test_nothing_foreign_is_mentioned() -> None:
    files = texts()
    assert len(files) > 300
    said = [
        f"{path.relative_to(ROOT)}: {what}: {match.group()}"
        for path in files
        for what, pattern in FOREIGN.items()
        if (match := pattern.search(path.read_text(errors="replace")))
    ]
    assert said == []


def test_the_patterns_find_what_they_are_for() -> None:
    for text in ("see /{}ork/main".format("w"), "P{} 7".format("R"), "{}O: later".format("TOD")):
        assert any(pattern.search(text) for pattern in FOREIGN.values()), text

"""Findings of the doctor: level, text, remedy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "note", "wrong"]
MARKS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


@dataclass(frozen=True)
class Finding:
    """Result of a check: `wrong` needs action, a `note` may need it, `ok` is fine."""

    level: Level
    text: str
    todo: str = ""

    def lines(self) -> list[str]:
        """Return the printed lines."""
        result = [f"{MARKS[self.level]}  {self.text}"]
        return [*result, f"       {self.todo}"] if self.todo else result


def ok(text: str) -> Finding:
    return Finding("ok", text)


def note(text: str, todo: str) -> Finding:
    return Finding("note", text, todo)


def wrong(text: str, todo: str) -> Finding:
    return Finding("wrong", text, todo)


def or_ok(result: Iterable[Finding], text: str) -> list[Finding]:
    """Return the findings, or one that all is well."""
    return list(result) or [ok(text)]

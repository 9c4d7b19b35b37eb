"""A finding of the doctor: how bad it is, what it is, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "note", "wrong"]
MARKS = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}


@dataclass(frozen=True)
class Finding:
    """`wrong` needs somebody to act; a `note` may; `ok` names what was looked at."""

    level: Level
    text: str
    todo: str = ""

    def lines(self) -> list[str]:
        """As it is printed."""
        told = [f"{MARKS[self.level]}  {self.text}"]
        return [*told, f"       {self.todo}"] if self.todo else told


def ok(text: str) -> Finding:
    return Finding("ok", text)


def note(text: str, todo: str) -> Finding:
    return Finding("note", text, todo)


def wrong(text: str, todo: str) -> Finding:
    return Finding("wrong", text, todo)


def or_ok(found: Iterable[Finding], text: str) -> list[Finding]:
    """The findings, or one that all is well."""
    return list(found) or [ok(text)]

"""Commands, loops, conditions and functions of a script, as they stand in its text."""

from __future__ import annotations

from dataclasses import dataclass

from .counting import Counting
from .words import Word


@dataclass(frozen=True)
class Redirection:
    """`sign` without its descriptor; `descriptor` empty for the usual one."""

    sign: str
    descriptor: str
    target: Word


@dataclass(frozen=True)
class Simple:
    """One command with its assignments and redirections. `pipe`: the words of the commands behind
    it in a pipeline; `piped`: another command writes into it; `background`: it ends with `&`;
    `otherwise`: it is executed only when the one before failed.
    """

    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...] = ()
    row: int = 0
    pipe: tuple[tuple[Word, ...], ...] = ()
    piped: bool = False
    background: bool = False
    otherwise: bool = False


@dataclass(frozen=True)
class ForLoop:
    """A `for` loop over words, or over the numbers of `for ((...))`."""

    name: str
    words: tuple[Word, ...]
    body: tuple[Node, ...]
    row: int
    counting: Counting | None = None


@dataclass(frozen=True)
class Conditional:
    """Commands that are executed only sometimes, or again and again: `while`, `if`, `case`."""

    keyword: str
    body: tuple[Node, ...]
    row: int


@dataclass(frozen=True)
class Function:
    """A function of the text's own."""

    name: str
    body: tuple[Node, ...]
    row: int


@dataclass(frozen=True)
class Remark:
    """A comment."""

    text: str
    row: int


Node = Simple | ForLoop | Conditional | Function | Remark

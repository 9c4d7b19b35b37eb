"""Syntax nodes of a script: commands, loops, conditions and functions."""

from __future__ import annotations

from dataclasses import dataclass

from .counting import Counting
from .words import Word


@dataclass(frozen=True)
class Redirection:
    """Redirection of a command.

    `sign`: operator without descriptor; `descriptor`: empty for the default one.
    """

    sign: str
    descriptor: str
    target: Word


@dataclass(frozen=True)
class Simple:
    """Command with its assignments and redirections.

    `pipe`: words of the following commands of the pipeline; `piped`: another command writes into
    it; `background`: it ends with `&`; `otherwise`: it runs only if the previous command fails.
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
    """`for` loop over words, or over the numbers of `for ((...))`."""

    name: str
    words: tuple[Word, ...]
    body: tuple[Node, ...]
    row: int
    counting: Counting | None = None


@dataclass(frozen=True)
class Conditional:
    """Commands that run conditionally or repeatedly: `while`, `if`, `case`."""

    keyword: str
    body: tuple[Node, ...]
    row: int


@dataclass(frozen=True)
class Function:
    """Function that the text defines."""

    name: str
    body: tuple[Node, ...]
    row: int


@dataclass(frozen=True)
class Remark:
    """Comment in a script."""

    text: str
    row: int


Node = Simple | ForLoop | Conditional | Function | Remark

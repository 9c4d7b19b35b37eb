"""One call of a program as a text states it, and what its tool makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.messages import TranslatableMessage, as_message, message
from apps.tools.values import RawValue

NoteKind = Literal["understood", "left", "refused"]


class CommandError(ValueError):
    """A call that is no step: the sentence says why, `where` which words it is about."""

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(why)
        self.where = where


@dataclass(frozen=True)
class Call:
    """A program with its arguments, all variables filled in. `argv` begins with the program's name
    without its folder. `stdin`, `stdout`: files of redirections; `redirected`: all of these as
    written; `piped`: another program writes into it; `pipe`: those that read what it prints.
    `condition`: why it is not always executed; `otherwise`: only when the command before it fails.
    `files`: texts of files that the pasted text has, by name. `site`: the places of the call and of
    those that led to it; `loops`: the numbers of the loops around it, the outermost first.
    """

    argv: tuple[str, ...]
    line: int = 1
    stdin: str = ""
    stdout: str = ""
    redirected: tuple[str, ...] = ()
    piped: bool = False
    pipe: tuple[tuple[str, ...], ...] = ()
    background: bool = False
    otherwise: bool = False
    condition: str = ""
    site: tuple[int, ...] = ()
    loops: tuple[int, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def program(self) -> str:
        """The program's name."""
        return self.argv[0] if self.argv else ""


@dataclass(frozen=True)
class CommandNote:
    """A sentence about one piece of a command. "understood": it is in the step; "left": it is not,
    and the measurement is the same without it; "refused": there is no step because of it. `row`:
    its line in a job file, from 0.
    """

    kind: NoteKind
    option: str
    text: str
    row: int = 0

    def sentence(self) -> TranslatableMessage:
        """The note as one sentence, with the option that it is about."""
        if not self.option:
            return as_message(self.text)
        return message("%(option)s: %(text)s", option=self.option, text=self.text)


@dataclass(frozen=True)
class ParsedStep:
    """The parameters of one test that a command states or implies, as a plan takes them. `facts`:
    what else `Tool.join_commands` needs to know of it; `row`: its line in a job file, from 0.
    """

    name: str
    params: Mapping[str, RawValue]
    target: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    row: int = 0


@dataclass(frozen=True)
class ParsedCommand:
    """The steps of one command, and a note for each piece that is no parameter of theirs. `files`:
    the texts of `Call.files` that it reads.
    """

    steps: tuple[ParsedStep, ...] = ()
    notes: tuple[CommandNote, ...] = ()
    files: tuple[str, ...] = ()

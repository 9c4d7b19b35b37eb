"""Call of a program in a text, and its parsed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from apps.tools.messages import TranslatableMessage, as_message, message
from apps.tools.values import RawValue

NoteKind = Literal["understood", "left", "refused"]


class CommandError(ValueError):
    """Call that cannot become a step; `where`: the words that cause it."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(reason)
        self.where = where


@dataclass(frozen=True)
class Call:
    """Program with its arguments, with all variables expanded.

    - `argv`: begins with the program's name without its folder.
    - `stdin`, `stdout`: files of redirections; `redirected`: all redirections as written.
    - `piped`: another program writes into it; `pipe`: the programs that read its output.
    - `condition`: reason why it is not always executed; `otherwise`: executed only if the previous
      command fails.
    - `files`: texts of files in the pasted text, by name.
    - `site`: positions of the call and of its callers; `loops`: numbers of the enclosing loops, the
      outermost first.
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
        """Return the program's name."""
        return self.argv[0] if self.argv else ""


@dataclass(frozen=True)
class CommandNote:
    """Message about one part of a command.

    "understood": it is in the step; "left": it is not, and does not change the measurement;
    "refused": it prevents the step. `row`: its line in a job file, from 0.
    """

    kind: NoteKind
    option: str
    text: str
    row: int = 0

    def sentence(self) -> TranslatableMessage:
        """Return the note as one message, with its option."""
        if not self.option:
            return as_message(self.text)
        return message("%(option)s: %(text)s", option=self.option, text=self.text)


@dataclass(frozen=True)
class ParsedStep:
    """Parameters of one test that a command states or implies, as a plan takes them.

    `facts`: further facts for `Tool.join_commands`; `row`: the line in a job file, from 0.
    """

    name: str
    params: Mapping[str, RawValue]
    target: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    row: int = 0


@dataclass(frozen=True)
class ParsedCommand:
    """Steps of one command, and a note for each part that is no parameter of a step.

    `files`: the texts of `Call.files` that the command reads.
    """

    steps: tuple[ParsedStep, ...] = ()
    notes: tuple[CommandNote, ...] = ()
    files: tuple[str, ...] = ()

"""Steps from text in a tool's own language: job files and commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.tools.messages import message
from apps.tools.pasted_commands.call import NoteKind
from apps.tools.values import RawValue

MAX_TEXT = 64 * 1024
TOO_LONG = message("This text is too long: at most 64 KiB are read.")


@dataclass(frozen=True)
class ImportedStep:
    """Step of a plan, with its name in the text and parameters named as in the plan API.

    `line`: first line of its text, from 1. `target`: the disk, file, pool or host in the command,
    empty for none.
    """

    name: str
    params: Mapping[str, RawValue]
    tool: str = ""
    line: int = 1
    target: str = ""


@dataclass(frozen=True)
class ImportNote:
    """Message about a line of a pasted text; `kind` as in `CommandNote`."""

    line: int
    text: str
    kind: NoteKind


@dataclass(frozen=True)
class OutputLines:
    """Lines of a pasted text that are output of a tool: first, last, and the tool's name."""

    first: int
    last: int
    tool: str


@dataclass(frozen=True)
class Commands:
    """Steps of a pasted text, and a note for each part that is none.

    `tuning`: lines that set host settings, in the form of a tuning profile; `outputs`: lines that
    can be imported as results.
    """

    steps: tuple[ImportedStep, ...] = ()
    notes: tuple[ImportNote, ...] = ()
    tuning: tuple[str, ...] = ()
    outputs: tuple[OutputLines, ...] = ()

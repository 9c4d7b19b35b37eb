"""Text that was written for a tool itself, a job file or a command, as its plugin understood it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from apps.tools.messages import message
from apps.tools.values import RawValue

SaidKind = Literal["understood", "left", "refused"]
MAX_TEXT = 64 * 1024
TOO_LONG = message("This text is too long: at most 64 KiB are read.")


@dataclass(frozen=True)
class ImportedStep:
    """A step of a plan: its name in the text, and parameters under the names of the plan API.
    `line`: the first line of the text that it was made from, from 1. `target`: the disk, file, pool
    or host that the command names, empty where it names none.
    """

    name: str
    params: Mapping[str, RawValue]
    tool: str = ""
    line: int = 1
    target: str = ""


@dataclass(frozen=True)
class OptionNote:
    """A sentence about one piece of the text. `section` is where it stands, `option` what was
    written there. "understood": it is in the step; "left": benchlab sees to it, and nothing that is
    measured changes; "refused": it is not done, and neither is the step it stands in.
    """

    kind: SaidKind
    section: str
    option: str
    text: str


@dataclass(frozen=True)
class ImportedSteps:
    """Steps in the order in which the tool would run them, and what was made of every piece."""

    steps: tuple[ImportedStep, ...] = ()
    said: tuple[OptionNote, ...] = ()


@dataclass(frozen=True)
class ImportNote:
    """A sentence about a line of a pasted text; `kind` as in `SaidOfOption`."""

    line: int
    text: str
    kind: SaidKind


@dataclass(frozen=True)
class OutputLines:
    """Lines of a pasted text that a tool printed: the first and the last, and the tool's name."""

    first: int
    last: int
    tool: str


@dataclass(frozen=True)
class Commands:
    """A pasted text as steps, with a note for each piece that is none. `tuning`: the lines that set
    the host, as a tuning reads them; `outputs`: what can be imported.
    """

    steps: tuple[ImportedStep, ...] = ()
    notes: tuple[ImportNote, ...] = ()
    tuning: tuple[str, ...] = ()
    outputs: tuple[OutputLines, ...] = ()

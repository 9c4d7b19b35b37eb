"""Sections and options of a job file (init.c: `__parse_jobs_ini`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.tools.messages import message
from apps.tools.pasted_commands.call import CommandError

MAX_SECTIONS = 200


@dataclass(frozen=True)
class Option:
    """Option line: the name as written, and its value or None.

    `row`: its line in a job file, from 0.
    """

    name: str
    value: str | None
    row: int = 0

    @property
    def written(self) -> str:
        """Return the option as written in the text."""
        return self.name if self.value is None else f"{self.name}={self.value}"


@dataclass
class Section:
    """Job with all its options, those of previous [global] sections first.

    `row`: its line in a job file, from 0.
    """

    name: str
    options: list[Option] = field(default_factory=list)
    row: int = 0


def sections_of(text: str) -> list[Section]:
    """Return the jobs of a job file.

    Raises: CommandError.
    """
    shared: list[Option] = []
    sections: list[Section] = []
    current: list[Option] | None = None
    for number, line in enumerate(map(_stripped, text.splitlines()), 1):
        if not line:
            continue
        if line.startswith("["):
            current, section = _section(line, shared, number - 1)
            sections += [section] if section else []
        elif current is None:
            raise CommandError(message("An option stands before the first [section]."), line)
        elif line.startswith("include"):
            reason = message("include reads another file, which is not here: paste what is in it.")
            raise CommandError(reason, f"line {number}: {line[:80]}")
        else:
            current.append(_option(line, number - 1))
        if len(sections) > MAX_SECTIONS:
            raise CommandError(
                message("A job file has at most %(count)d sections here.", count=MAX_SECTIONS)
            )
    return sections


def _section(line: str, shared: list[Option], row: int) -> tuple[list[Option], Section | None]:
    if not line.endswith("]") or len(line) < 3:
        raise CommandError(message("The name of a section ends with a bracket."), line[:80])
    name = line[1:-1]
    if name.startswith("global"):
        return shared, None
    section = Section(name, list(shared), row=row)
    return section.options, section


def _option(line: str, row: int) -> Option:
    name, mark, value = line.partition("=")
    return Option(name.strip(), value.strip() if mark else None, row)


def _stripped(line: str) -> str:
    """Return the line without comment.

    Text after ; or # is a comment, also within a value (parse.c: `strip_blank_end`).
    """
    return line.split(";", 1)[0].split("#", 1)[0].strip()

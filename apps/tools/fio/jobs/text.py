"""The text of a job file as sections with options (init.c: `__parse_jobs_ini`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.tools.messages import message

MAX_SECTIONS = 200


class Unreadable(ValueError):
    """A text of which nothing is taken: the sentence says why, `where` what it is about."""

    def __init__(self, why: str, where: str = "") -> None:
        super().__init__(why)
        self.where = where


@dataclass(frozen=True)
class Option:
    """One line: the name as written, and its value, None where there is none. `row`: the number of
    its line in a job file, from 0.
    """

    name: str
    value: str | None
    row: int = 0

    @property
    def written(self) -> str:
        """As it stood in the text."""
        return self.name if self.value is None else f"{self.name}={self.value}"


@dataclass
class Section:
    """A job with every option that holds for it, those of [global] before it first. `row`: the
    number of its line in a job file, from 0.
    """

    name: str
    options: list[Option] = field(default_factory=list)
    call: int = 0
    row: int = 0


def sections_of(text: str) -> list[Section]:
    """The jobs of a job file. Raises Unreadable."""
    shared: list[Option] = []
    found: list[Section] = []
    current: list[Option] | None = None
    for number, line in enumerate(map(_stripped, text.splitlines()), 1):
        if not line:
            continue
        if line.startswith("["):
            current, section = _begun(line, shared, number - 1)
            found += [section] if section else []
        elif current is None:
            raise Unreadable(message("An option stands before the first [section]."), line)
        elif line.startswith("include"):
            why = message("include reads another file, which is not here: paste what is in it.")
            raise Unreadable(why, f"line {number}: {line[:80]}")
        else:
            current.append(_option(line, number - 1))
        if len(found) > MAX_SECTIONS:
            raise Unreadable(
                message("A job file has at most %(count)d sections here.", count=MAX_SECTIONS)
            )
    return found


def _begun(line: str, shared: list[Option], row: int) -> tuple[list[Option], Section | None]:
    if not line.endswith("]") or len(line) < 3:
        raise Unreadable(message("The name of a section ends with a bracket."), line[:80])
    name = line[1:-1]
    if name.startswith("global"):
        return shared, None
    section = Section(name, list(shared), row=row)
    return section.options, section


def _option(line: str, row: int) -> Option:
    name, mark, value = line.partition("=")
    return Option(name.strip(), value.strip() if mark else None, row)


def _stripped(line: str) -> str:
    """Without a comment: everything behind ; or # is one, also within a value (parse.c:
    `strip_blank_end`).
    """
    return line.split(";", 1)[0].split("#", 1)[0].strip()

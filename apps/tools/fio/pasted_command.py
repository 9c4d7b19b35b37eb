"""Steps of a plan from one call of fio or from a job file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from apps.tools.fio.jobs.commands import jobs_of, pairs_of, program_note
from apps.tools.fio.jobs.reading import SectionReading, read_sections
from apps.tools.fio.jobs.text import Section, sections_of
from apps.tools.fio.options.catalog import aliases
from apps.tools.messages import message
from apps.tools.pasted_commands.call import (
    Call,
    CommandError,
    CommandNote,
    ParsedCommand,
    ParsedStep,
)

_TARGETS = ("filename", "directory", "rbdname")
_INFORMATION = frozenset(
    {*("version", "help", "cmdhelp", "enghelp", "showcmd", "parse-only", "cpuclock-test")}
    | {*("crctest", "memcpytest", "v", "h")}
)
_NOTHING = message("It measures nothing and was left out.")
_ENDINGS = (".fio", ".job", ".ini")


def parse_command(call: Call) -> ParsedCommand:
    """Return the jobs of a call, including those of a job file in the text.

    Raises: CommandError.
    """
    left: list[tuple[str, str]] = []
    words = list(call.argv[1:])
    if any(word.lstrip("-").partition("=")[0] in _INFORMATION for word in words):
        return ParsedCommand(notes=(CommandNote("left", " ".join(call.argv)[:80], _NOTHING),))
    names = _job_files(words)
    files = tuple(_text(name, call.files) for name in names)
    sections = _from_files(files, names, words, left) if names else jobs_of(words, left)
    notes = [CommandNote("left", option, text) for option, text in left]
    return replace(_as_steps(sections, notes), files=files)


def parse_file(text: str) -> ParsedCommand:
    """Return the jobs of a job file.

    Raises: CommandError.
    """
    return _as_steps(sections_of(text), [])


def _job_files(words: Sequence[str]) -> list[str]:
    """Return the names of job files among the words of a call."""
    result: list[str] = []
    before = ""
    for word in words:
        takes_value = (
            before.startswith("-") and "=" not in before and program_note(before.lstrip("-"))
        )
        plain = word == "-" or (not word.startswith("-") and word.endswith(_ENDINGS))
        if plain and not takes_value:
            result.append(word)
        before = word
    return result


def _from_files(
    files: Sequence[str],
    names: Sequence[str],
    words: Sequence[str],
    left: list[tuple[str, str]],
) -> list[Section]:
    section_names: list[str] = []
    for name, value in pairs_of([word for word in words if word not in names]):
        if name == "section":
            section_names.append(value or "")
        elif program_note(name):
            left.append((f"--{name}" if value is None else f"--{name}={value}", program_note(name)))
        else:
            reason = message("Beside a job file an option holds for some of its jobs only.")
            raise CommandError(reason, f"--{name}")
    result = [section for text in files for section in sections_of(text)]
    return [section for section in result if not section_names or section.name in section_names]


def _text(name: str, files: Mapping[str, str]) -> str:
    """Return the text of a job file by its name, or of the only nameless one."""
    short = name.rsplit("/", 1)[-1]
    if short in files:
        return files[short]
    nameless = [text for key, text in files.items() if key.startswith("#")]
    if len(nameless) == 1:
        return nameless[0]
    raise CommandError(message("This job file is not in the text: paste what is in it."), name)


def _as_steps(sections: Sequence[Section], notes: list[CommandNote]) -> ParsedCommand:
    if not sections:
        raise CommandError(message("There is no job in it: a [section], or --name."))
    readings = read_sections(sections)
    notes += [note for reading in readings for note in _notes(reading, len(readings) > 1)]
    steps = tuple(
        ParsedStep(
            reading.section.name,
            reading.params,
            _target(reading.section),
            row=reading.section.row,
        )
        for reading in readings
        if not reading.refused
    )
    return ParsedCommand(steps, tuple(notes))


def _notes(reading: SectionReading, several: bool) -> Iterator[CommandNote]:
    section = f"[{reading.section.name}]"
    rows = {option.written: option.row for option in reading.section.options}
    for note in reading.notes:
        if note.text:
            option = f"{section} {note.option}".strip() if several else note.option
            row = rows.get(note.option, reading.section.row)
            yield CommandNote(note.kind, option or section, note.text, row)


def _target(section: Section) -> str:
    """Return the file, device or image that the job names."""
    named = {aliases().get(o.name, o.name): o.value or "" for o in section.options}
    return next((named[name] for name in _TARGETS if name in named), "")

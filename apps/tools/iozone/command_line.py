"""One call of iozone as steps of a plan (iozone(1); iozone.c: main, auto_test)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.tools.messages import message
from apps.tools.split_output.call import Call, CommandError, CommandNote, ParsedCommand, ParsedStep
from apps.tools.values import RawValue

from .fields import KIB
from .parser.columns import PLANNED

# The letters that take a value; -F takes every name up to the next option.
_WITH_VALUE = frozenset("JjkVrtsfdluUSLHPibXYgnyq")
_FLAGS = {
    "I": "direct",
    "o": "sync",
    "e": "include_fsync",
    "c": "include_close",
    "B": "mmap",
    "T": "pthreads",
    "W": "lock_file",
    "m": "multiple_buffers",
    "Z": "mixed_mmap",
}
_FLUSH = {"D": "async", "G": "sync"}
_REPORT = message("benchlab chooses what iozone reports itself.")
_FILES = message("A step names no file: choose the plan's targets. Its files are removed.")
_LEFT = {
    **dict.fromkeys("RbONMCvQ", _REPORT),
    **dict.fromkeys("fFw", _FILES),
}
_OPERATIONS = {number: name for name, (number, _measured) in PLANNED.items()}
# Without -i iozone does these, one after the other.
_ALL = tuple(_OPERATIONS[number] for number in range(8))
_SIZE = re.compile(r"(\d{1,15})([kmg]?)", re.IGNORECASE)
_USUAL_FILE, _USUAL_RECORD = 512 * KIB, 4 * KIB
# Automatic mode: least and largest file and record.
_AUTO = {"n": 64 * KIB, "g": 512 * KIB**2, "y": 4 * KIB, "q": 16 * KIB**2}


@dataclass
class _Said:
    """The options of one call; sizes in bytes."""

    letters: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    notes: list[CommandNote] = field(default_factory=list)

    def size(self, letter: str) -> int | None:
        """The last value of an option as bytes; a plain number is KiB."""
        return self.sizes(letter)[-1] if letter in self.values else None

    def sizes(self, letter: str) -> list[int]:
        """All values of an option as bytes."""
        found: list[int] = []
        for text in self.values.get(letter, []):
            match = _SIZE.fullmatch(text)
            if match is None:
                raise CommandError(message("This is no size of iozone's."), f"-{letter} {text}")
            power = {"": 1, "k": 1, "m": 2, "g": 3}[match[2].lower()]
            found.append(int(match[1]) * int(KIB**power))
        return list(dict.fromkeys(found))

    def numbers(self, letter: str) -> list[int]:
        """All values of an option."""
        found = self.values.get(letter, [])
        wrong = [text for text in found if not re.fullmatch(r"\d{1,9}", text)]
        if wrong:
            raise CommandError(message("This is no whole number."), f"-{letter} {wrong[0]}")
        return [int(text) for text in found]


def parse_command(call: Call) -> ParsedCommand:
    """The tests of a call. Raises CommandError."""
    said = _read(call.argv[1:])
    params = _modes(said)
    params["operation"] = _one_or_list(_operations(said))
    threads = _threads(said)
    params["threads"] = _one_or_list(threads or [1])
    if threads == [1]:
        why = message("One process is measured as such, without iozone's throughput mode.")
        said.notes.append(CommandNote("understood", "-t 1", why))
    params |= _sizes(said)
    target = " ".join(said.values.get("f", said.files))
    return ParsedCommand((ParsedStep("iozone", params, target),), tuple(said.notes))


def _read(words: Sequence[str]) -> _Said:
    said = _Said()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "-+n":
            said.letters.add("+n")
        elif word == "-F":
            while rest and not rest[-1].startswith("-"):
                said.files.append(rest.pop())
            said.notes.append(CommandNote("left", f"-F {' '.join(said.files)}", _FILES))
        elif re.fullmatch(r"-[A-Za-z].*", word):
            _letters(word[1:], rest, said)
        else:
            raise CommandError(message("A step of iozone has nothing like it."), word)
    return said


def _letters(letters: str, rest: list[str], said: _Said) -> None:
    """Options may share a dash ("-Rb out.xls"); a value may follow without a space ("-i0")."""
    for place, letter in enumerate(letters):
        if letter in _WITH_VALUE:
            value = letters[place + 1 :] or (rest.pop() if rest else "")
            said.values.setdefault(letter, []).append(value)
            if letter in _LEFT:
                said.notes.append(CommandNote("left", f"-{letter} {value}", _LEFT[letter]))
            return
        said.letters.add(letter)
        if letter in _LEFT:
            said.notes.append(CommandNote("left", f"-{letter}", _LEFT[letter]))


def _modes(said: _Said) -> dict[str, RawValue]:
    """The switches of a call; refuses an option that no step has."""
    known = {*_FLAGS, *_FLUSH, *_LEFT, "+n", "a", "A", "z"}
    taken = {*"isrtlungyqjJkHSL", *_LEFT}
    for letter in sorted({*(said.letters - known), *(said.values.keys() - taken)}):
        value = said.values.get(letter, [""])[-1]
        raise CommandError(
            message("A step of iozone has no such option."), f"-{letter} {value}".strip()
        )
    params: dict[str, RawValue] = {name: letter in said.letters for letter, name in _FLAGS.items()}
    params["retest"] = "+n" not in said.letters
    flush = [word for letter, word in _FLUSH.items() if letter in said.letters]
    params["msync"] = flush[-1] if flush else "none"
    for letter, name in (("j", "stride"), ("J", "think_time")):
        if letter in said.values:
            params[name] = said.numbers(letter)[-1]
    for letter in "kH":
        if letter in said.values:
            params |= {"async_depth": said.numbers(letter)[-1], "async_copies": letter == "H"}
    if "S" in said.values:
        params["cache_size"] = said.numbers("S")[-1] * KIB
    if "L" in said.values:
        params["cache_line"] = said.numbers("L")[-1]
    return params


def _operations(said: _Said) -> list[str]:
    numbers = said.numbers("i")
    unknown = [number for number in numbers if number not in _OPERATIONS]
    if unknown:
        raise CommandError(message("A step of iozone has no such test."), f"-i {unknown[0]}")
    if numbers:
        return list(dict.fromkeys(_OPERATIONS[number] for number in numbers))
    if "t" in said.values or "u" in said.values:
        raise CommandError(message("With several processes, name the tests (-i)."), "-t")
    return list(_ALL)


def _threads(said: _Said) -> list[int]:
    """The numbers of processes: each -t, or all from -l to -u."""
    if "t" in said.values:
        return said.numbers("t")
    if "u" not in said.values and "l" not in said.values:
        return []
    least, most = (said.numbers(letter) for letter in "lu")
    if not least or not most or most[-1] - least[-1] > 255:
        raise CommandError(message("-l and -u go together, as the least and the most processes."))
    return list(range(least[-1], most[-1] + 1))


def _sizes(said: _Said) -> dict[str, RawValue]:
    """File and record sizes. Several of one option turn automatic mode on, which tests each record
    size that fits into a file (3.489; older versions leave small records of large files out).
    """
    files, records = said.sizes("s"), said.sizes("r")
    if {"a", "A", "z"} & said.letters or len(files) > 1 or len(records) > 1:
        limits = {letter: said.size(letter) or usual for letter, usual in _AUTO.items()}
        files = files or _doubled(limits["n"], limits["g"])
        records = records or _doubled(limits["y"], limits["q"])
    else:
        misplaced = [letter for letter in _AUTO if letter in said.values]
        if misplaced:
            raise CommandError(message("It has no effect without -a."), f"-{misplaced[0]}")
    return {
        "file_size": _one_or_list(files or [_USUAL_FILE]),
        "record_size": _one_or_list(records or [_USUAL_RECORD]),
    }


def _doubled(first: int, last: int) -> list[int]:
    sizes = [first << power for power in range(40)]
    return [size for size in sizes if size <= last] or [first]


def _one_or_list(values: Sequence[int] | Sequence[str]) -> RawValue:
    return values[0] if len(values) == 1 else list(values)

"""Convert a command line of iozone to steps of a plan (iozone(1); iozone.c: main, auto_test)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.tools.iozone.fields import KIB
from apps.tools.iozone.parser.columns import PLANNED
from apps.tools.messages import message
from apps.tools.pasted_commands.call import (
    Call,
    CommandError,
    CommandNote,
    ParsedCommand,
    ParsedStep,
)
from apps.tools.values import RawValue

# Options with a value; -F takes every name up to the next option.
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
# Tests without -i, in order.
_ALL = tuple(_OPERATIONS[number] for number in range(8))
_SIZE = re.compile(r"(\d{1,15})([kmg]?)", re.IGNORECASE)
_DEFAULT_FILE, _DEFAULT_RECORD = 512 * KIB, 4 * KIB
# Automatic mode: minimum and maximum of file and record.
_AUTO = {"n": 64 * KIB, "g": 512 * KIB**2, "y": 4 * KIB, "q": 16 * KIB**2}


@dataclass
class _Options:
    """Options of one command line; sizes in bytes."""

    letters: set[str] = field(default_factory=set)
    values: dict[str, list[str]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    notes: list[CommandNote] = field(default_factory=list)

    def size(self, letter: str) -> int | None:
        """Return the last value of an option in bytes; a plain number is KiB."""
        return self.sizes(letter)[-1] if letter in self.values else None

    def sizes(self, letter: str) -> list[int]:
        """Return all values of an option in bytes."""
        sizes: list[int] = []
        for text in self.values.get(letter, []):
            match = _SIZE.fullmatch(text)
            if match is None:
                raise CommandError(message("This is no size of iozone's."), f"-{letter} {text}")
            power = {"": 1, "k": 1, "m": 2, "g": 3}[match[2].lower()]
            sizes.append(int(match[1]) * int(KIB**power))
        return list(dict.fromkeys(sizes))

    def numbers(self, letter: str) -> list[int]:
        """Return all values of an option."""
        texts = self.values.get(letter, [])
        wrong = [text for text in texts if not re.fullmatch(r"\d{1,9}", text)]
        if wrong:
            raise CommandError(message("This is no whole number."), f"-{letter} {wrong[0]}")
        return [int(text) for text in texts]


def parse_command(call: Call) -> ParsedCommand:
    """Return the tests of a command line.

    Raises: CommandError.
    """
    parsed = _read(call.argv[1:])
    params = _modes(parsed)
    params["operation"] = _one_or_list(_operations(parsed))
    threads = _threads(parsed)
    params["threads"] = _one_or_list(threads or [1])
    if threads == [1]:
        reason = message("One process is measured as such, without iozone's throughput mode.")
        parsed.notes.append(CommandNote("understood", "-t 1", reason))
    params |= _sizes(parsed)
    target = " ".join(parsed.values.get("f", parsed.files))
    return ParsedCommand((ParsedStep("iozone", params, target),), tuple(parsed.notes))


def _read(words: Sequence[str]) -> _Options:
    parsed = _Options()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "-+n":
            parsed.letters.add("+n")
        elif word == "-F":
            while rest and not rest[-1].startswith("-"):
                parsed.files.append(rest.pop())
            parsed.notes.append(CommandNote("left", f"-F {' '.join(parsed.files)}", _FILES))
        elif re.fullmatch(r"-[A-Za-z].*", word):
            _letters(word[1:], rest, parsed)
        else:
            raise CommandError(message("A step of iozone has nothing like it."), word)
    return parsed


def _letters(letters: str, rest: list[str], parsed: _Options) -> None:
    """Parse options that share a dash ("-Rb out.xls") or have a value without a space ("-i0")."""
    for index, letter in enumerate(letters):
        if letter in _WITH_VALUE:
            value = letters[index + 1 :] or (rest.pop() if rest else "")
            parsed.values.setdefault(letter, []).append(value)
            if letter in _LEFT:
                parsed.notes.append(CommandNote("left", f"-{letter} {value}", _LEFT[letter]))
            return
        parsed.letters.add(letter)
        if letter in _LEFT:
            parsed.notes.append(CommandNote("left", f"-{letter}", _LEFT[letter]))


def _modes(parsed: _Options) -> dict[str, RawValue]:
    """Return the switches of a command line.

    Raises: CommandError for an option that no step has.
    """
    known_letters = {*_FLAGS, *_FLUSH, *_LEFT, "+n", "a", "A", "z"}
    known_values = {*"isrtlungyqjJkHSL", *_LEFT}
    for letter in sorted(
        {*(parsed.letters - known_letters), *(parsed.values.keys() - known_values)}
    ):
        value = parsed.values.get(letter, [""])[-1]
        raise CommandError(
            message("A step of iozone has no such option."), f"-{letter} {value}".strip()
        )
    params: dict[str, RawValue] = {
        name: letter in parsed.letters for letter, name in _FLAGS.items()
    }
    params["retest"] = "+n" not in parsed.letters
    flush = [word for letter, word in _FLUSH.items() if letter in parsed.letters]
    params["msync"] = flush[-1] if flush else "none"
    for letter, name in (("j", "stride"), ("J", "think_time")):
        if letter in parsed.values:
            params[name] = parsed.numbers(letter)[-1]
    for letter in "kH":
        if letter in parsed.values:
            params |= {"async_depth": parsed.numbers(letter)[-1], "async_copies": letter == "H"}
    if "S" in parsed.values:
        params["cache_size"] = parsed.numbers("S")[-1] * KIB
    if "L" in parsed.values:
        params["cache_line"] = parsed.numbers("L")[-1]
    return params


def _operations(parsed: _Options) -> list[str]:
    numbers = parsed.numbers("i")
    unknown = [number for number in numbers if number not in _OPERATIONS]
    if unknown:
        raise CommandError(message("A step of iozone has no such test."), f"-i {unknown[0]}")
    if numbers:
        return list(dict.fromkeys(_OPERATIONS[number] for number in numbers))
    if "t" in parsed.values or "u" in parsed.values:
        raise CommandError(message("With several processes, name the tests (-i)."), "-t")
    return list(_ALL)


def _threads(parsed: _Options) -> list[int]:
    """Return the numbers of processes: each -t, or all from -l to -u."""
    if "t" in parsed.values:
        return parsed.numbers("t")
    if "u" not in parsed.values and "l" not in parsed.values:
        return []
    lower, upper = (parsed.numbers(letter) for letter in "lu")
    if not lower or not upper or upper[-1] - lower[-1] > 255:
        raise CommandError(message("-l and -u go together, as the least and the most processes."))
    return list(range(lower[-1], upper[-1] + 1))


def _sizes(parsed: _Options) -> dict[str, RawValue]:
    """Return file and record sizes.

    Several values of one option enable automatic mode, which tests each record size that fits into
    a file (3.489; older versions omit small records of large files).
    """
    files, records = parsed.sizes("s"), parsed.sizes("r")
    if {"a", "A", "z"} & parsed.letters or len(files) > 1 or len(records) > 1:
        limits = {letter: parsed.size(letter) or default for letter, default in _AUTO.items()}
        files = files or _doubled(limits["n"], limits["g"])
        records = records or _doubled(limits["y"], limits["q"])
    else:
        misplaced = [letter for letter in _AUTO if letter in parsed.values]
        if misplaced:
            raise CommandError(message("It has no effect without -a."), f"-{misplaced[0]}")
    return {
        "file_size": _one_or_list(files or [_DEFAULT_FILE]),
        "record_size": _one_or_list(records or [_DEFAULT_RECORD]),
    }


def _doubled(first: int, last: int) -> list[int]:
    sizes = [first << power for power in range(40)]
    return [size for size in sizes if size <= last] or [first]


def _one_or_list(values: Sequence[int] | Sequence[str]) -> RawValue:
    return values[0] if len(values) == 1 else list(values)

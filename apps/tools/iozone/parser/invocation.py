"""A run in iozone's command line and banner: tests, sizes, unit, modes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.tools.values import Parameters

from .columns import CACHE_LINE, CACHE_SIZE, ORDER, TESTS

KB = 1024
# iozone's options that take a value (iozone.c, getopt); -F takes every name that follows.
_WITH_VALUE = frozenset("JjkVrtsfFdluUSLHPibXYgnyq")
_COMMAND = re.compile(r"Command line used: (?P<words>[^\n]*)")
_PROMPT = re.compile(r"(?:^|[\s/])iozone3?(?: |\t)+(?P<words>-[^\n]*)")
_END = re.compile(r"\s(?:Output is in|Time Resolution|Iozone:)\s")
_SIZE = re.compile(r"^(\d{1,15})([kmg]?)", re.IGNORECASE)
_POWERS = {"": 0, "k": 0, "m": 1, "g": 2}
_FLAGS = {
    "direct": re.compile(r"O_DIRECT feature enabled"),
    "include_fsync": re.compile(r"Include fsync in write timing"),
    "include_close": re.compile(r"Include close in write timing"),
    "sync": re.compile(r"\bSYNC Mode"),
    "mmap": re.compile(r"Using mmap files"),
    "lock_file": re.compile(r"Lock file when reading/writing"),
    "multiple_buffers": re.compile(r"Multi_buffer\. Work area"),
    "async_copies": re.compile(r"POSIX [Aa]sync I/O \(with bcopy\)"),
    "mixed_mmap": re.compile(r"Enable mmap & file I/O mixing"),
    "pthreads": re.compile(r"Throughput test with \d{1,5} threads?\b"),
}
_COMPUTING = re.compile(r"Compute time (\d{1,5}\.\d{1,9}) seconds for reads and writes")
_CACHES = (
    ("cache_size", re.compile(r"Processor cache size set to (\d{1,9}) k", re.IGNORECASE), KB),
    ("cache_line", re.compile(r"Processor cache line size set to (\d{1,6}) bytes"), 1),
)
_USUAL_CACHE = {"cache_size": CACHE_SIZE, "cache_line": CACHE_LINE}
_DEPTH = re.compile(r"POSIX [Aa]sync I/O[^.\n]{0,30}\. Depth (\d{1,6})")
_MSYNC = {"D": "async", "G": "sync"}
_LETTERS = {
    **{"I": "direct", "e": "include_fsync", "c": "include_close", "o": "sync", "B": "mmap"},
    **{"T": "pthreads", "W": "lock_file", "m": "multiple_buffers", "Z": "mixed_mmap"},
}
_NO_RETEST = re.compile(r"No retest option selected")
_PER_OPERATION = re.compile(r"Output is in (micro|milli|nano)seconds per operation")
_OPS = re.compile(r"Output is in operations per second")
_FILE = re.compile(r"File size set to (\d{1,15}) kB", re.IGNORECASE)
_RECORD = re.compile(r"Record Size (\d{1,15}) kB", re.IGNORECASE)
_STRIDE = re.compile(r"File stride size set to (\d{1,9}) \* record size")
_TIMES = {"nano": 1, "micro": 1_000, "milli": 1_000_000}
BYTES, OPERATIONS = 0, -1
MAX_PROCESSES = 4096
_NAMES = {
    "s": "file_size",
    "r": "record_size",
    "j": "stride",
    "l": "least_processes",
    "u": "most_processes",
}


@dataclass
class Context:
    """`tests`: the numbers behind -i; `unit`: BYTES for kB/s, OPERATIONS for operations/s, else the
    nanoseconds in one unit of time; sizes in bytes."""

    tests: list[int] = field(default_factory=list)
    unit: int = BYTES
    flags: Parameters = field(default_factory=dict)
    file_size: int | None = None
    record_size: int | None = None
    stride: int | None = None
    processes: list[int] = field(default_factory=list)
    least_processes: int | None = None
    most_processes: int | None = None

    def process_counts(self) -> list[int]:
        """The numbers of processes of throughput mode: each -t, or all from -l to -u."""
        if self.processes:
            return self.processes
        if self.least_processes is None or self.most_processes is None:
            return []
        return list(range(self.least_processes, min(self.most_processes, MAX_PROCESSES) + 1))

    def operations(self) -> tuple[str, ...] | None:
        """The columns that -i selected, in the table's order; None without an -i."""
        known = [test for test in self.tests if test in TESTS]
        if not known:
            return None
        chosen = {operation for test in known for operation in TESTS[test]}
        return tuple(operation for operation in ORDER if operation in chosen)

    def read(self, line: str) -> None:
        """Take what a line says: a line of the banner, the command line, or all of it at once."""
        if not line.strip():
            return
        match = _COMMAND.search(line) or _PROMPT.search(line)
        if match:
            self._command(_END.split(match["words"] + " ", maxsplit=1)[0].split())
        self._modes(line)
        self._process(line)
        for name, pattern in (("file_size", _FILE), ("record_size", _RECORD)):
            if found := pattern.search(line):
                setattr(self, name, int(found[1]) * KB)
        if found := _STRIDE.search(line):
            self.stride = int(found[1])

    def _process(self, line: str) -> None:
        if found := _COMPUTING.search(line):
            self.flags["think_time"] = round(float(found[1]) * 1000)
        for name, pattern, unit in _CACHES:
            if (found := pattern.search(line)) and int(found[1]) * unit != _USUAL_CACHE[name]:
                self.flags[name] = int(found[1]) * unit

    def _modes(self, line: str) -> None:
        for name, pattern in _FLAGS.items():
            if pattern.search(line):
                self.flags[name] = True
        if found := _DEPTH.search(line):
            self.flags["async_depth"] = int(found[1])
        if _NO_RETEST.search(line):
            self.flags["retest"] = False
        if _OPS.search(line):
            self.unit = OPERATIONS
        elif found := _PER_OPERATION.search(line):
            self.unit = _TIMES[found[1]]

    def _command(self, words: list[str]) -> None:
        self.tests, self.unit, self.flags = [], BYTES, {}
        self.file_size = self.record_size = None
        self.processes, self.least_processes, self.most_processes = [], None, None
        rest = iter(words)
        for word in rest:
            if word.startswith("-+"):
                self.flags |= {"retest": False} if word == "-+n" else {}
            elif word.startswith("-"):
                self._letters(word[1:], rest)

    def _letters(self, letters: str, rest: Iterator[str]) -> None:
        """Options may share a dash ("-Rb out.xls"); a value may follow without a space ("-i0")."""
        for place, letter in enumerate(letters):
            if letter in _WITH_VALUE:
                self._value(letter, letters[place + 1 :] or next(rest, ""))
                return
            if letter in _LETTERS:
                self.flags[_LETTERS[letter]] = True
            elif letter in _MSYNC:
                self.flags["msync"] = _MSYNC[letter]
            elif letter in "ON":
                self.unit = OPERATIONS if letter == "O" else _TIMES["micro"]

    def _value(self, letter: str, text: str) -> None:
        match = _SIZE.match(text)
        if not match:
            return
        number, size = int(match[1]), int(match[1]) * KB ** (1 + _POWERS[match[2].lower()])
        if letter in _NAMES:
            setattr(self, _NAMES[letter], size if letter in "sr" else number)
        elif letter == "i":
            self.tests.append(number)
        elif letter == "t":
            self.processes.append(number)
        elif letter in "kH":
            self.flags["async_depth"] = number
            self.flags |= {"async_copies": True} if letter == "H" else {}

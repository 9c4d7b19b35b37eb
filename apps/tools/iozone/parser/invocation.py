"""Parse iozone's command line and banner: tests, sizes, unit, modes and files."""

from __future__ import annotations

import os.path
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.tools.values import Parameters

from .columns import CACHE_LINE, CACHE_SIZE, ORDER, PLANNED, TESTS
from .modes import Modes
from .options import options

KB = 1024
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
_CACHES = {
    "cache_size": (re.compile(r"Processor cache size set to (\d{1,9}) k", re.IGNORECASE), KB),
    "cache_line": (re.compile(r"Processor cache line size set to (\d{1,6}) bytes"), 1),
}
_CACHE_OPTIONS = {"-S": "cache_size", "-L": "cache_line"}
_DEFAULT_CACHE = {"cache_size": CACHE_SIZE, "cache_line": CACHE_LINE}
_DEPTH = re.compile(r"POSIX [Aa]sync I/O[^.\n]{0,30}\. Depth (\d{1,6})")
_SET: dict[str, Parameters] = {
    **{"-I": {"direct": True}, "-e": {"include_fsync": True}, "-c": {"include_close": True}},
    **{"-o": {"sync": True}, "-B": {"mmap": True}, "-T": {"pthreads": True}},
    **{"-W": {"lock_file": True}, "-m": {"multiple_buffers": True}, "-Z": {"mixed_mmap": True}},
    **{"-D": {"msync": "async"}, "-G": {"msync": "sync"}, "-+n": {"retest": False}},
}
# Values without these options in a command line.
_DEFAULTS: Parameters = {
    **dict.fromkeys(("direct", "sync", "include_fsync", "include_close", "mmap"), False),
    "retest": True,
}
STRIDE = 17
# Tests that create their own file.
_NEW_FILE = frozenset({0, 6, 9})
_NO_RETEST = re.compile(r"No retest option selected")
_PER_OPERATION = re.compile(r"Output is in (micro|milli|nano)seconds per operation")
_OPS = re.compile(r"Output is in operations per second")
_FILE = re.compile(r"File size set to (\d{1,15}) kB", re.IGNORECASE)
_RECORD = re.compile(r"Record Size (\d{1,15}) kB", re.IGNORECASE)
_STRIDE = re.compile(r"File stride size set to (\d{1,9}) \* record size")
_TIMES = {"nano": 1, "micro": 1_000, "milli": 1_000_000}
BYTES, OPERATIONS = 0, -1
MAX_PROCESSES = 4096
_SHELL = re.compile(r"^\d?[|;&<>#]")
_SIZES = {"-s": "file_size", "-r": "record_size"}
_NUMBERS = {"-j": "stride", "-l": "min_processes", "-u": "max_processes"}
_LISTS = {"-i": "tests", "-t": "processes"}


@dataclass
class Context:
    """Options of one run; sizes in bytes.

    - `tests`: numbers of -i.
    - `unit`: BYTES for kB/s, OPERATIONS for operations/s, else the ns of one unit of time.
    - `called`: a command line was parsed.
    - `files`: values of -f and -F.
    """

    tests: list[int] = field(default_factory=list)
    unit: int = BYTES
    flags: Parameters = field(default_factory=dict)
    file_size: int | None = None
    record_size: int | None = None
    stride: int | None = None
    processes: list[int] = field(default_factory=list)
    min_processes: int | None = None
    max_processes: int | None = None
    called: bool = False
    files: list[str] = field(default_factory=list)
    modes: Modes = field(default_factory=Modes)
    _words: list[str] = field(default_factory=list)

    @property
    def parameters(self) -> Parameters:
        """Return the parameters of every result. A command line implies the defaults."""
        return (_DEFAULTS if self.called else {}) | self.flags

    @property
    def target(self) -> str:
        """Return the file, or the directory of several files; empty if the command has none."""
        if len(self.files) < 2:
            return self.files[0] if self.files else ""
        folders = {os.path.dirname(name) for name in self.files}
        folder = folders.pop() if len(folders) == 1 else ""
        return folder or " ".join(self.files)[:300]

    def fresh_context(self) -> Context:
        """Return the options of another run of the same command line."""
        context = Context()
        if self.called:
            context._command(self._words)
        return context

    def process_counts(self) -> list[int]:
        """Return the numbers of processes of throughput mode: each -t, or all from -l to -u."""
        if self.processes:
            return self.processes
        if self.min_processes is None or self.max_processes is None:
            return []
        return list(range(self.min_processes, min(self.max_processes, MAX_PROCESSES) + 1))

    def operations(self) -> tuple[str, ...] | None:
        """Return the columns selected by -i, in the table's order; None without -i."""
        known = [test for test in self.tests if test in TESTS]
        if not known:
            return None
        chosen = {operation for test in known for operation in TESTS[test]}
        return tuple(operation for operation in ORDER if operation in chosen)

    def unread_options(self, operation: str) -> tuple[str, ...]:
        """Return options that no plan has.

        Without direct I/O they include earlier tests on the same file, because these fill the page
        cache.
        """
        return self.modes.unread + self._earlier_tests(operation)

    def _earlier_tests(self, operation: str) -> tuple[str, ...]:
        own = next((n for n, measured in PLANNED.values() if operation in measured), 0)
        if not self.called or own in _NEW_FILE or self.flags.get("direct"):
            return ()
        tests = set(self.tests) or set(TESTS)
        before = " ".join(f"-i {test}" for test in sorted(tests) if test < own)
        return (before,) if before else ()

    def read(self, line: str) -> bool:
        """Parse a line: of the banner, the command line, or all of it in one line.

        Returns True for a command line.
        """
        if not line.strip():
            return False
        words = find_command(line)
        if words is not None:
            self._words = words
            self._command(words)
        self._header(line)
        return words is not None

    def _header(self, line: str) -> None:
        """Parse a line of the header, or all of it in one line."""
        self._modes(line)
        self._process(line)
        self.modes.line(line)
        for name, pattern in (("file_size", _FILE), ("record_size", _RECORD)):
            if match := pattern.search(line):
                setattr(self, name, int(match[1]) * KB)
        if match := _STRIDE.search(line):
            self.stride = int(match[1])

    def _process(self, line: str) -> None:
        if match := _COMPUTING.search(line):
            self.flags["think_time"] = round(float(match[1]) * 1000)
        for name, (pattern, unit) in _CACHES.items():
            if match := pattern.search(line):
                self._cache(name, int(match[1]) * unit)

    def _cache(self, name: str, size: int) -> None:
        if size != _DEFAULT_CACHE[name]:
            self.flags[name] = size

    def _modes(self, line: str) -> None:
        for name, pattern in _FLAGS.items():
            if pattern.search(line):
                self.flags[name] = True
        if match := _DEPTH.search(line):
            self.flags["async_depth"] = int(match[1])
        if _NO_RETEST.search(line):
            self.flags["retest"] = False
        if _OPS.search(line):
            self.unit = OPERATIONS
        elif match := _PER_OPERATION.search(line):
            self.unit = _TIMES[match[1]]

    def _command(self, words: Sequence[str]) -> None:
        self.called, self.tests, self.unit, self.flags, self.files = True, [], BYTES, {}, []
        self.file_size = self.record_size = self.stride = None
        self.processes, self.min_processes, self.max_processes = [], None, None
        self.modes.command()
        for name, value in options(words):
            self._option(name, value)

    def _option(self, name: str, value: str) -> None:
        if name in _SET:
            self.flags |= _SET[name]
        elif name in ("-O", "-N"):
            self.unit = OPERATIONS if name == "-O" else _TIMES["micro"]
        elif name in ("-f", "-F"):
            self.files.append(value)
        elif name == "-A":
            self.tests += [0, 1]
        elif not self._number(name, value):
            self.modes.option(name, value)

    def _number(self, name: str, text: str) -> bool:
        """Parse an option with a number or a size; return False for any other."""
        match = _SIZE.match(text)
        if match is None:
            return False
        number, size = int(match[1]), int(match[1]) * KB ** (1 + _POWERS[match[2].lower()])
        if name in _SIZES:
            setattr(self, _SIZES[name], size)
        elif name in _NUMBERS:
            setattr(self, _NUMBERS[name], number)
        elif name in _LISTS:
            getattr(self, _LISTS[name]).append(number)
        elif name in ("-k", "-H"):
            self.flags["async_depth"] = number
            self.flags |= {"async_copies": True} if name == "-H" else {}
        elif name == "-J":
            self.flags["think_time"] = number
        elif name in _CACHE_OPTIONS:
            self._cache(_CACHE_OPTIONS[name], number * _CACHES[_CACHE_OPTIONS[name]][1])
        else:
            return False
        return True


def find_command(line: str) -> list[str] | None:
    """Return the words after "iozone" in a command line; None for any other line."""
    if "ozone" not in line and "Command" not in line:
        return None
    match = _COMMAND.search(line) or _PROMPT.search(line)
    if match is None:
        return None
    words = _END.split(match["words"] + " ", maxsplit=1)[0].split()
    end = next((n for n, word in enumerate(words) if _SHELL.match(word)), len(words))
    return [word for word in words[:end] if word != "\\"]

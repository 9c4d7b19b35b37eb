"""Modes of iozone that change a test and are no parameters of a plan.

They are options of the command line, and their lines in iozone's header (iozone.c).
"""

from __future__ import annotations

import re

# Options for sizes, tests, files, units and verbosity; -A is -az -i 0 -i 1.
_NEUTRAL = frozenset({*(f"-{letter}" for letter in "aAzRbwONCvhMEgnyqsritlufF"), "-+u", "-+x"})
_PRINTED = (
    (r"Purge Mode On", "-p"),
    (r"Stonewall disabled", "-x"),
    (r"Disrupted read patterns", "-K"),
    (r"Binding of processors beginning with (?P<{}>\d+)", "-P"),
    (r"(?<!No )Verify Mode\. Pattern (?P<{}>\w+)", "-V"),
    (r"Offset/latency files enabled", "-Q"),
    (r"Using write telemetry file", "-X"),
    (r"Using read telemetry file", "-Y"),
    (r"Delay (?P<{}>\d+) seconds between tests", "-+q"),
    (r"O_DSYNC mode enabled", "-+D"),
    (r"Read & Write sync mode", "-+r"),
    (r"Record locking, shared file mode", "-+L"),
    (r"Record locking mode", "-+l"),
    (r"Shared file mode", "-+V"),
    (r"Think time is included", "-+J"),
    (r"Sequential Mixed workload", "-+B"),
    (r"I/O Diagnostic mode", "-+d"),
    (r"Short circuit mode", "-+X"),
    (r"Using old data sets", "-+Z"),
    (r"Percent read in mix test is (?P<{}>\d+)", "-+p"),
    (r"Dedup activated (?P<{}>\d+)", "-+w"),
    (r"Dedup within & across (?P<{}>\d+)", "-+y"),
    (r"Dedup within (?P<{}>\d+)", "-+C"),
    (r"Dedup manual seed (?P<{}>\d+)", "-+S"),
    (r"Dedup chid_skew (?P<{}>\d+)", "-+W"),
    (r"Dedup granule size (?P<{}>\d+)", "-+Q"),
    (r"Dedup\+compress enabled", "-+M"),
    (r"Zero Percent (?P<{}>\d+)", "-+a"),
    (r"Madvise enabled: (?P<{}>\d+)", "-+A"),
    (r"Network distribution mode", "-+m"),
    (r"Histogram summary enabled", "-+z"),
    (r"Burst size set to (?P<{}>\d+)", "-+b"),
    (r"Rate control active (?P<{}>\d+)", "-+O"),
)
_MODES = re.compile(
    "|".join(f"(?P<m{n}>{text.format(f'v{n}')})" for n, (text, _) in enumerate(_PRINTED))
)
# Lines of the header that are parsed elsewhere or irrelevant to the test.
_KNOWN = re.compile(
    r"Run began|Record Size|File size set|Auto Mode|Cross over of record|Using m(?:in|ax)imum"
    r"|Using M(?:in|ax)imum|Excel chart|OPS Mode|Microseconds/op|Milliseconds/op|Output is in"
    r"|Command line used|Machine =|Hostname =|Filenames from|CPU utilization|Setting no_unlink"
    r"|-M option|No retest|Include (?:fsync|close)|SYNC Mode|O_DIRECT|mmap|POSIX [Aa]sync"
    r"|Lock file when|Multi_buffer|[Cc]ompute time|Performance measurements|filesystem develop"
    r"|mode due to|Timer resolution|not available on|Compiled for|Build:"
)
_BEGIN = re.compile(r"^\s*Run began:")
_END = re.compile(r"Time Resolution|Processor cache|Throughput test with|\breclen\b")
_WORDS = re.compile(r"[A-Za-z]{3}")
MAX_MODES = 50


class Modes:
    """Modes of one call that no plan has."""

    def __init__(self) -> None:
        self._options: dict[str, str] = {}
        self._printed: dict[str, str] = {}
        self._in_header = False

    @property
    def unread(self) -> tuple[str, ...]:
        """Return options as in the command line.

        A mode that only the header has is returned as its option; an unknown line of the header is
        returned unchanged.
        """
        return tuple((self._printed | self._options).values())

    def command(self) -> None:
        """Begin a command line; its options replace those of the previous one."""
        self._options = {}

    def option(self, name: str, value: str) -> None:
        """Add an option that is no parameter."""
        if name not in _NEUTRAL and len(self._options) < MAX_MODES:
            self._options[name] = f"{name} {value}".strip()[:300]

    def line(self, line: str) -> None:
        """Parse a line of the header, or all of it in one line."""
        modes = list(_MODES.finditer(line))
        for match in modes:
            number = int((match.lastgroup or "m0")[1:])
            name = _PRINTED[number][1]
            value = match.groupdict().get(f"v{number}") or ""
            self._printed.setdefault(name, f"{name} {value}".strip())
        if _BEGIN.match(line):
            self._in_header = True
        elif self._in_header and _END.search(line):
            self._in_header = False
        elif self._in_header and not modes and self._is_mode(line):
            self._printed.setdefault(line.strip(), line.strip()[:200])

    def _is_mode(self, line: str) -> bool:
        has_capacity = len(self._printed) < MAX_MODES
        return has_capacity and not _KNOWN.search(line) and _WORDS.search(line) is not None

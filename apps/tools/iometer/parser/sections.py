"""Split IOMeter's results file into sections: per test its access specifications, then a table.

A line that starts with an apostrophe is a heading. Fields are separated by commas and never quoted
(IOMeter 2004 to 1.1: ManagerList::SaveResults, AccessSpecList::SaveResults).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from apps.tools.text import as_text

MAX_LINE = 20_000
MAX_TESTS = 10_000
MAX_PARTS = 1_000
MAX_SPECIFICATIONS = 1_000
TABLE = "target type"
SPECIFICATION = "access specification name"
SIZES = "size"
VERSION = "version"
END = "end test"


@dataclass(frozen=True)
class Access:
    """Line of an access specification: bytes, and shares in percent."""

    size: int
    share: int
    reads: int
    random: int


@dataclass
class Test:
    """Rows of one table: the total of all managers, and the components."""

    specifications: Mapping[str, list[Access]]
    total: Mapping[str, str] = field(default_factory=dict)
    parts: list[Mapping[str, str]] = field(default_factory=list)


class Reader:
    """Line parser of the file."""

    def __init__(self) -> None:
        self.version: str | None = None
        self.tests: list[Test] = []
        self.ended = False
        self.columns: list[str] = []
        self._specifications: dict[str, list[Access]] = {}
        self._name = ""
        self._heading = ""
        self._readers: Mapping[str, Callable[[list[str]], None]] = {
            VERSION: self._read_version,
            SPECIFICATION: self._read_name,
            SIZES: self._read_access,
            TABLE: self._read_row,
        }

    def line(self, line: str) -> None:
        """Parse one line."""
        fields = [each.strip() for each in line.rstrip("\r").split(",")]
        if fields[0].startswith("'"):
            self._begin(fields)
        elif self._heading in self._readers and any(fields):
            self._readers[self._heading](fields)

    def _begin(self, fields: list[str]) -> None:
        self._heading = fields[0][1:].lower()
        if self._heading == TABLE and len(self.tests) < MAX_TESTS:
            self.columns = [each.lower() for each in (fields[0][1:], *fields[1:])]
            self.tests.append(Test(self._specifications))
        elif self._heading == "access specifications":
            self._specifications = {}
        self.ended = self._heading == END

    def _read_version(self, fields: list[str]) -> None:
        self.version = fields[0][:60] or None

    def _read_name(self, fields: list[str]) -> None:
        self._name = fields[0]
        if len(self._specifications) < MAX_SPECIFICATIONS:
            self._specifications.setdefault(self._name, [])

    def _read_access(self, fields: list[str]) -> None:
        numbers = [int(each) for each in fields[:4] if each.isdecimal() and len(each) < 16]
        lines = self._specifications.get(self._name)
        if len(numbers) == 4 and lines is not None and len(lines) < MAX_SPECIFICATIONS:
            lines.append(Access(*numbers))

    def _read_row(self, fields: list[str]) -> None:
        """Parse a row. A row with fewer columns than up to the queue depth is truncated."""
        if len(fields) < min(len(self.columns), 40):
            return
        row = dict(zip(self.columns, fields, strict=False))
        test = self.tests[-1]
        if fields[0].upper() == "ALL":
            test.total = row
        elif len(test.parts) < MAX_PARTS:
            test.parts.append(row)


def read(data: bytes) -> Reader:
    """Parse the file's sections. An incomplete last line is ignored."""
    reader = Reader()
    for line in as_text(data).split("\n")[:-1]:
        reader.line(line[:MAX_LINE])
    return reader

"""Read the cells of the first sheet of an .xlsx workbook (Office Open XML, ECMA-376), with limits.

A workbook is a zip archive of XML files. The unpacked size is counted during unpacking, independent
of the archive's directory. XML with a document type is rejected, so no entity is expanded.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from apps.tools.errors import OutputError
from apps.tools.messages import message

CellRow = dict[int, str | float]
BOOK, STRINGS = "xl/workbook.xml", "xl/sharedStrings.xml"
RELATIONS = "xl/_rels/workbook.xml.rels"
MAX_FILES = 10_000
MAX_UNPACKED = 64 * 1024**2
MAX_CELLS = 1_000_000
MAX_TEXT = 32_767  # of a cell, as spreadsheets have it
_END, _ENTRY = b"PK\x05\x06", b"PK\x01\x02"
_PIECE = 256 * 1024
_CELL_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})", re.ASCII)
_BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError,
           NotImplementedError, RuntimeError, expat.ExpatError)  # fmt: skip
DAMAGED = message("The workbook is damaged, or protected by a password.")
HUGE = message(
    "The workbook is too large: %(limit)d MiB unpacked and %(cells)s cells at most.",
    limit=MAX_UNPACKED // 1024**2,
    cells=f"{MAX_CELLS:,}",
)


def is_workbook(data: bytes) -> bool:
    """Return True if these bytes are a zip archive with a workbook."""
    if not data.startswith(b"PK\x03\x04") or data.count(_ENTRY) > MAX_FILES:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return BOOK in archive.namelist()
    except _BROKEN:
        return False


def first_sheet(data: bytes) -> dict[int, CellRow]:
    """Return the texts and numbers of the first sheet by row and column, both from 0.

    Rows without values are absent.

    Raises: OutputError for a damaged or too large workbook.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacking = _Unpacking(archive)
            name = _first_name(unpacking)
            strings = _Strings()
            if STRINGS in archive.namelist():
                unpacking.read(STRINGS, strings)
            cells = _Cells(strings.texts)
            unpacking.read(name, cells)
            return dict(cells.rows)
    except _BROKEN as error:
        raise OutputError(DAMAGED) from error


class _Elements:
    """Receiver of a file's elements, by their names without namespace."""

    def begin(self, name: str, attributes: dict[str, str]) -> None: ...

    def text(self, text: str) -> None: ...

    def end(self, name: str) -> None: ...


@dataclass
class _Unpacking:
    """Reader of an archive's files with a limit on their total size."""

    archive: zipfile.ZipFile
    size: int = 0

    def read(self, name: str, elements: _Elements) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda tag, attributes: elements.begin(_plain(tag), attributes)
        parser.EndElementHandler = lambda tag: elements.end(_plain(tag))
        parser.CharacterDataHandler = elements.text
        parser.StartDoctypeDeclHandler = _refused
        with self.archive.open(name) as file:
            while piece := file.read(_PIECE):
                self.size += len(piece)
                if self.size > MAX_UNPACKED:
                    raise OutputError(HUGE)
                parser.Parse(piece, False)
        parser.Parse(b"", True)


def _refused(*_arguments: object) -> NoReturn:
    raise ValueError("a document type")


def _plain(tag: str) -> str:
    return tag.rpartition(":")[2]


@dataclass
class _Attributes(_Elements):
    """Attributes of every element of this name."""

    name: str
    rows: list[dict[str, str]] = field(default_factory=list)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == self.name and len(self.rows) < MAX_FILES:
            self.rows.append({_plain(key): value for key, value in attributes.items()})


def _first_name(unpacking: _Unpacking) -> str:
    """Return the file of the first sheet, resolved through the book's relations."""
    sheets, relations = _Attributes("sheet"), _Attributes("Relationship")
    unpacking.read(BOOK, sheets)
    unpacking.read(RELATIONS, relations)
    sheet_id = sheets.rows[0]["id"] if sheets.rows else ""
    target = next(
        (relation["Target"] for relation in relations.rows if relation.get("Id") == sheet_id), ""
    )
    return posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")


@dataclass
class _Strings(_Elements):
    """Texts that cells reference by number. Phonetic texts (rPh) are skipped."""

    texts: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _in_text: bool = False
    _in_phonetic: bool = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._in_text = name == "t" and not self._in_phonetic
        self._in_phonetic = self._in_phonetic or name == "rPh"

    def text(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        self._in_text = False
        if name == "rPh":
            self._in_phonetic = False
        elif name == "si":
            if len(self.texts) >= MAX_CELLS:
                raise OutputError(HUGE)
            self.texts.append("".join(self._pieces)[:MAX_TEXT])
            self._pieces.clear()


@dataclass
class _Cells(_Elements):
    """Cells of a sheet. A cell without a reference follows the previous cell."""

    strings: list[str]
    rows: dict[int, CellRow] = field(default_factory=lambda: defaultdict(dict))
    _row: int = -1
    _column: int = -1
    _kind: str = ""
    _pieces: list[str] = field(default_factory=list)
    _in_text: bool = False
    _count: int = 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self._row = int(attributes.get("r", self._row + 2)) - 1
            self._column = -1
        elif name == "c":
            self._row, self._column = _cell_index(attributes.get("r"), self._row, self._column + 1)
            self._kind = attributes.get("t", "n")
            self._pieces.clear()
        self._in_text = name in ("v", "t")

    def text(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        self._in_text = False
        text = "".join(self._pieces)
        if name != "c" or not text:
            return
        self._count += 1
        if self._count > MAX_CELLS:
            raise OutputError(HUGE)
        self.rows[self._row][self._column] = self._value(text)

    def _value(self, text: str) -> str | float:
        converters: dict[str, Callable[[str], str | float]] = {
            "n": float,
            "s": lambda number: self.strings[int(number)],
        }
        try:
            return converters.get(self._kind, str)(text[:MAX_TEXT])
        except IndexError as error:
            raise ValueError("no such text") from error


def _cell_index(name: str | None, row: int, column: int) -> tuple[int, int]:
    """Return row and column of "B5", both from 0; the next cell if there is no reference."""
    if name is None:
        return row, column
    match = _CELL_REFERENCE.fullmatch(name)
    if match is None:
        raise ValueError("no cell reference")
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, number - 1

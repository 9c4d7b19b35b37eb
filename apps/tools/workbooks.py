"""Workbooks of today's spreadsheets (.xlsx: Office Open XML, ECMA-376): the cells of the first
sheet, within bounds.

A workbook is a zip archive of XML files. What it unpacks to is counted as it is unpacked, whatever
its directory says; XML that declares a document type is refused, so no entity is ever expanded.
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
_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})", re.ASCII)
_BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, KeyError,
           NotImplementedError, RuntimeError, expat.ExpatError)  # fmt: skip
DAMAGED = message("The workbook is damaged, or protected by a password.")
HUGE = message(
    "The workbook is too large: %(most)d MiB unpacked and %(cells)s cells at most.",
    most=MAX_UNPACKED // 1024**2,
    cells=f"{MAX_CELLS:,}",
)


def is_workbook(data: bytes) -> bool:
    """Whether these bytes are an archive with a workbook in it."""
    if not data.startswith(b"PK\x03\x04") or data.count(_ENTRY) > MAX_FILES:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return BOOK in archive.namelist()
    except _BROKEN:
        return False


def first_sheet(data: bytes) -> dict[int, CellRow]:
    """Texts and numbers of the workbook's first sheet: by row and column, both from 0; rows without
    any are left out. Raises OutputError for one that is damaged or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacking = _Unpacking(archive)
            name = _first_name(unpacking)
            strings = _Strings()
            if STRINGS in archive.namelist():
                unpacking.read(STRINGS, strings)
            cells = _Cells(strings.found)
            unpacking.read(name, cells)
            return dict(cells.rows)
    except _BROKEN as error:
        raise OutputError(DAMAGED) from error


class _Elements:
    """Receives the elements of a file, by their names without a namespace."""

    def begin(self, name: str, attributes: dict[str, str]) -> None: ...

    def text(self, text: str) -> None: ...

    def end(self, name: str) -> None: ...


@dataclass
class _Unpacking:
    """Reads files of an archive as long as there is room for them together."""

    archive: zipfile.ZipFile
    size: int = 0

    def read(self, name: str, elements: _Elements) -> None:
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda tag, found: elements.begin(_plain(tag), found)
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


def _refused(*_told: object) -> NoReturn:
    raise ValueError("a document type")


def _plain(tag: str) -> str:
    return tag.rpartition(":")[2]


@dataclass
class _Attributes(_Elements):
    """The attributes of every element of this name."""

    name: str
    found: list[dict[str, str]] = field(default_factory=list)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == self.name and len(self.found) < MAX_FILES:
            self.found.append({_plain(key): value for key, value in attributes.items()})


def _first_name(unpacking: _Unpacking) -> str:
    """The file of the first sheet: the book names its relation, the relations its file."""
    sheets, relations = _Attributes("sheet"), _Attributes("Relationship")
    unpacking.read(BOOK, sheets)
    unpacking.read(RELATIONS, relations)
    wanted = sheets.found[0]["id"] if sheets.found else ""
    target = next((one["Target"] for one in relations.found if one.get("Id") == wanted), "")
    return posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")


@dataclass
class _Strings(_Elements):
    """The texts that cells refer to by number; how a text sounds (rPh) is none of it."""

    found: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _wanted: bool = False
    _aside: bool = False

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._wanted = name == "t" and not self._aside
        self._aside = self._aside or name == "rPh"

    def text(self, text: str) -> None:
        if self._wanted:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        self._wanted = False
        if name == "rPh":
            self._aside = False
        elif name == "si":
            if len(self.found) >= MAX_CELLS:
                raise OutputError(HUGE)
            self.found.append("".join(self._pieces)[:MAX_TEXT])
            self._pieces.clear()


@dataclass
class _Cells(_Elements):
    """The cells of a sheet. A cell without a place stands behind the one before."""

    strings: list[str]
    rows: dict[int, CellRow] = field(default_factory=lambda: defaultdict(dict))
    _row: int = -1
    _column: int = -1
    _kind: str = ""
    _pieces: list[str] = field(default_factory=list)
    _wanted: bool = False
    _count: int = 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self._row = int(attributes.get("r", self._row + 2)) - 1
            self._column = -1
        elif name == "c":
            self._row, self._column = _place_of(attributes.get("r"), self._row, self._column + 1)
            self._kind = attributes.get("t", "n")
            self._pieces.clear()
        self._wanted = name in ("v", "t")

    def text(self, text: str) -> None:
        if self._wanted:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        self._wanted = False
        text = "".join(self._pieces)
        if name != "c" or not text:
            return
        self._count += 1
        if self._count > MAX_CELLS:
            raise OutputError(HUGE)
        self.rows[self._row][self._column] = self._value(text)

    def _value(self, text: str) -> str | float:
        known: dict[str, Callable[[str], str | float]] = {
            "n": float,
            "s": lambda number: self.strings[int(number)],
        }
        try:
            return known.get(self._kind, str)(text[:MAX_TEXT])
        except IndexError as error:
            raise ValueError("no such text") from error


def _place_of(name: str | None, row: int, column: int) -> tuple[int, int]:
    """Row and column of "B5", both from 0; the place that is next where the cell has no name."""
    if name is None:
        return row, column
    match = _PLACE.fullmatch(name)
    if match is None:
        raise ValueError("no place")
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return int(match[2]) - 1, number - 1

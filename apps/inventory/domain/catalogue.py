"""The catalogue of disk models: reading its CSV, and which entry fits a disk."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable
from typing import Protocol, TypeVar

from django.utils.translation import gettext as _

from apps.inventory.domain.host_lists import ListError, short
from apps.inventory.domain.host_lists.csv_list import delimiter_of, first_line, header_of
from apps.inventory.domain.host_lists.decode import unify
from apps.inventory.domain.host_lists.rows import plain_text
from apps.inventory.schemas.catalogue import (
    COLUMNS,
    NUMBERS,
    SAME_SIZE,
    TEXTS,
    CatalogueValues,
)

MAX_ENTRIES = 5000
REQUIRED = ("pattern", "source")
_NUMBER = re.compile(r"\d{1,20}(\.\d{1,12})?")


class Pattern(Protocol):
    """What matching needs of an entry."""

    @property
    def pattern(self) -> str: ...
    @property
    def capacity_bytes(self) -> int | None: ...


E = TypeVar("E", bound=Pattern)


def best_entry(entries: Iterable[E], model: str, size_bytes: int | None) -> E | None:
    """Return the entry of a disk: the one with most plain letters, then one with a capacity."""
    fitting = [entry for entry in entries if _fits(entry, model, size_bytes)]
    return max(fitting, key=_precision, default=None)


def _fits(entry: Pattern, model: str, size_bytes: int | None) -> bool:
    pattern, name = (" ".join(text.split()).casefold() for text in (entry.pattern, model))
    if not name or not _fits_pattern(pattern, name):
        return False
    if entry.capacity_bytes is None:
        return True
    # The size of a disk that nobody read is 0.
    return bool(size_bytes) and abs((size_bytes or 0) / entry.capacity_bytes - 1) <= SAME_SIZE


def _fits_pattern(pattern: str, text: str) -> bool:
    """Return True if the text fits; linear in each star, where a regular expression is not.

    After a mismatch only the last star takes one character more.
    """
    at, star, taken = 0, -1, 0
    position = 0
    while position < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, taken, at = at, position, at + 1
        elif at < len(pattern) and pattern[at] in ("?", text[position]):
            at, position = at + 1, position + 1
        elif star >= 0:
            taken += 1
            at, position = star + 1, taken
        else:
            return False
    return not pattern[at:].strip("*")


def _precision(entry: Pattern) -> tuple[int, bool]:
    plain = len(entry.pattern.replace("*", "").replace("?", ""))
    return plain, entry.capacity_bytes is not None


def read_catalogue(text: str) -> list[tuple[int, CatalogueValues]]:
    """Return line and values of each entry of a CSV. Raises: ListError with the first faults."""
    text = unify(text).encode("utf-8", "replace").decode()
    header = header_of(text)
    _check_header(header)
    rows: list[tuple[int, CatalogueValues]] = []
    faults: list[str] = []
    for line, cells in _lines(text):
        try:
            rows.append((line, _entry(header, cells)))
        except ListError as error:
            faults.append(_("Line %(line)d: %(reason)s") % {"line": line, "reason": error})
    if len(rows) > MAX_ENTRIES:
        raise ListError(_("The list has more than %(limit)d entries.") % {"limit": MAX_ENTRIES})
    if faults:
        raise ListError(" ".join(faults[:5]))
    if not rows:
        raise ListError(_("The list has no entry."))
    return rows


def _check_header(header: list[str]) -> None:
    if any(name not in header for name in REQUIRED):
        raise ListError(_("The first line must name the columns “pattern” and “source”."))
    wrong = [cell for cell in header if cell not in COLUMNS or header.count(cell) > 1]
    if wrong:
        words = _("The column “%(name)s” is not known, or there twice.")
        raise ListError(words % {"name": short(wrong[0])})


def _lines(text: str) -> list[tuple[int, list[str]]]:
    lines = text.split("\n")
    start = lines.index(first_line(text))
    reader = csv.reader(lines[start + 1 :], delimiter=delimiter_of(lines[start]))
    result = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].startswith("#"):
                result.append((start + 1 + reader.line_num, cells))
            if len(result) > MAX_ENTRIES:
                break
    except csv.Error as error:
        raise ListError(
            _("Line %(line)d is no CSV: %(reason)s.")
            % {"line": start + 1 + reader.line_num, "reason": error}
        ) from error
    return result


def _entry(header: list[str], cells: list[str]) -> CatalogueValues:
    if any(cell.strip() for cell in cells[len(header) :]):
        raise ListError(_("The line has more values than the first line has columns."))
    texts = {}
    for name, cell in zip(header, cells, strict=False):
        texts[name], error = plain_text(cell)
        if error:
            raise ListError(f"{name}: {error}")
    values: CatalogueValues = {name: texts.get(name, "") for name in TEXTS}
    for column in NUMBERS:
        number = _number(column.name, texts.get(column.name, ""))
        values[column.field] = None if number is None else number * column.factor
    for name in REQUIRED:
        if not values[name]:
            raise ListError(_("The column “%(name)s” is empty.") % {"name": name})
    capacity = values["capacity_bytes"]
    values["capacity_bytes"] = int(capacity) if isinstance(capacity, float) else None
    return values


def _number(name: str, text: str) -> float | None:
    """Return a plain decimal number; spreadsheets' forms would be read differently by others."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise ListError(
            _("%(name)s: “%(text)s” is not a number such as 7008 or 0.15.")
            % {"name": name, "text": short(text)}
        )
    return float(text)

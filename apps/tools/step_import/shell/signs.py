"""Replacement of characters of word processors and full-width keyboards by ASCII."""

from __future__ import annotations

import html
import re

_SPACES = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_NOTHING = "\u200b\u200c\u200d\u2060\ufeff\u00ad\r"
_DASHES = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d"
# Word processors replace two hyphens by one long dash.
_LONG_DASHES = "\u2014\u2015"
_TABLE = (
    dict.fromkeys(map(ord, _SPACES), " ")
    | dict.fromkeys(map(ord, _NOTHING), None)
    | dict.fromkeys(map(ord, _DASHES), "-")
    | dict.fromkeys(map(ord, _LONG_DASHES), "--")
    | dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033"), '"')
    | dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'")
    # Full-width forms of ASCII, except brackets, commas and colons, which belong to prose.
    | {
        code: chr(code - 0xFEE0)
        for code in range(0xFF01, 0xFF5F)
        if chr(code) not in "（），：；？！"
    }
)
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_ENTITY = re.compile(r"&(?:#\d{2,5}|lt|gt|amp|quot|nbsp|ndash|mdash);")
_NOTED = re.compile("[\u2010-\u2015\u2212\uff01-\uff5e\u3000\u2018-\u201f]")


def plain(line: str) -> str:
    """Return the line with ASCII characters."""
    if line.isascii() and "&" not in line and "\x1b" not in line:
        return line
    line = _TERMINAL.sub("", line)
    if _ENTITY.search(line):
        line = html.unescape(line)
    return line.translate(_TABLE)


def is_changed(line: str) -> bool:
    """Return True if the replacement of characters in a line is worth a note."""
    return _NOTED.search(line) is not None

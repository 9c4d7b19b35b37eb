"""Output of the commands: JSON or tables to stdout, notes to stderr."""

from __future__ import annotations

import datetime
import json
import sys
import unicodedata
from typing import Any, Iterable, Optional, Sequence


def print_json(value: Any) -> None:
    """Print a value as JSON; keys keep the server's order.

    Characters that could steer the terminal, and halves of surrogate pairs, are escaped.
    """
    text = json.dumps(value, indent=1, ensure_ascii=False)
    print("".join(f"\\u{ord(one):04x}" if _is_escaped(one) else one for one in text))


def note(text: str) -> None:
    """Print a line to stderr, so that stdout has results only."""
    print(plain(text), file=sys.stderr)


def print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print columns that align, numbers to the right; only the heads if there are no rows."""
    cells = [[cell(value) for value in row] for row in rows]
    columns = range(len(heads))
    widths = [max(_width(row[i]) for row in [heads, *cells]) for i in columns]
    right = [bool(cells) and all(_is_number(row[i]) for row in cells) for i in columns]
    for row in [list(heads), *cells]:
        padded = [_pad(text, widths[i], right[i]) for i, text in enumerate(row)]
        print("  ".join(padded).rstrip())


def print_pairs(pairs: Iterable[Sequence[Any]]) -> None:
    """Print names and values, one pair a line."""
    rows = [(str(name), cell(value)) for name, value in pairs]
    width = max((_width(name) for name, _value in rows), default=0)
    for name, value in rows:
        print(f"{_pad(name, width, False)}  {value}".rstrip())


def cell(value: Any) -> str:
    """Return a value as text of a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(cell(one) for one in value)
    return plain(" ".join(str(value).split("\n")))


def plain(text: str) -> str:
    """Return text without control characters, which could steer the terminal."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_control(one) else one for one in text)


def local_time(text: Optional[str]) -> str:
    """Return a time of the server in the zone of this machine, to the minute."""
    if not text:
        return ""
    moved = datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone()
    return moved.strftime("%Y-%m-%d %H:%M %Z").rstrip()


def duration(seconds: Optional[float]) -> str:
    """Return seconds as `1 h 05 min`, `3 min 20 s` or `12 s`."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"


def _width(text: str) -> int:
    """Return the columns of a terminal: East Asian wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _is_control(character: str) -> bool:
    """Return True for controls, formats and surrogates, which cannot be encoded."""
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs")


def _is_escaped(character: str) -> bool:
    # json.dumps escapes U+0000 to U+001F itself; \u has four digits.
    return "\x7f" <= character <= "\uffff" and _is_control(character)

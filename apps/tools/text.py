"""Bytes a tool printed -> text and numbers that can be trusted: bounded, finite, without
surprises.
"""

from __future__ import annotations

from apps.tools.messages import message

MAX_OUTPUT = 512 * 1024**2
TOO_LARGE = message("The output is larger than %(most)d MiB.", most=MAX_OUTPUT // 1024**2)
_LARGEST = 2**63
SAMPLE = 64 * 1024
# All but tab, line feed, carriage return, and what terminals are told: bell, backspace, escape.
_CONTROL = bytes(n for n in range(32) if n not in b"\t\n\r\a\b\x1b") + b"\x7f"
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def clean(data: bytes) -> bytes:
    """UTF-8 without byte order mark and NUL bytes; UTF-16 (a redirect in PowerShell) is
    converted.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            data = data[len(mark) :]
            if encoding != "utf-8":
                data = data.decode(encoding, "replace").encode()
            break
    return data.replace(b"\0", b"") if b"\0" in data else data


def is_blank(data: bytes) -> bool:
    """Whether there is nothing but spaces in it, without a copy as `strip` makes of it."""
    return not data or data.isspace()


def is_text(data: bytes) -> bool:
    """Whether a person could read its beginning, in whatever encoding: no more than a twentieth of
    it are control characters. Of a program or a disk's image a tenth are.
    """
    head = clean(data[:SAMPLE])
    return (len(head) - len(head.translate(None, _CONTROL))) * 20 <= len(head)


def as_text(data: bytes) -> str:
    """Cleaned bytes as text with plain newlines; bytes that are no UTF-8 become the replacement
    sign.
    """
    return clean(data).decode("utf-8", "replace").replace("\r\n", "\n")


def number(value: object) -> float | int | None:
    """A finite number that fits a database column, else None: NaN, infinity, text, true,
    10**400.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # NaN and infinity fail here too: no comparison with them holds both ways.
    return value if -_LARGEST < value < _LARGEST else None


def count(value: object) -> int:
    """A number of things, 0 for anything that is none."""
    known = number(value)
    return int(known) if known is not None and known > 0 else 0


def without_variables(name: str) -> str:
    """The name of a file, disk or pool in a command; empty where a shell fills something in."""
    return "" if any(sign in name for sign in "$`*?{") else name

"""Convert the bytes of a tool's output to text, and its values to bounded, finite numbers."""

from __future__ import annotations

from apps.tools.messages import message

MAX_OUTPUT = 512 * 1024**2
TOO_LARGE = message("The output is larger than %(limit)d MiB.", limit=MAX_OUTPUT // 1024**2)
RECOGNITION_BYTES = 1024**2
"""First bytes of an output by which its tool is recognised."""
_LARGEST = 2**63
SAMPLE = 64 * 1024
# All but tab, line feed, carriage return, bell, backspace and escape.
_CONTROL = bytes(n for n in range(32) if n not in b"\t\n\r\a\b\x1b") + b"\x7f"
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def clean(data: bytes) -> bytes:
    """Return UTF-8 without byte order mark and NUL bytes.

    UTF-16 (a redirect in PowerShell) is converted.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            data = data[len(mark) :]
            if encoding != "utf-8":
                data = data.decode(encoding, "replace").encode()
            break
    return data.replace(b"\0", b"") if b"\0" in data else data


def is_blank(data: bytes) -> bool:
    """Return True if the data is empty or white space. Unlike `strip` it makes no copy."""
    return not data or data.isspace()


def is_text(data: bytes) -> bool:
    """Return True if at most 5 % of the first 64 KiB are control characters, in any encoding.

    In programs and disk images about 10 % are.
    """
    head = clean(data[:SAMPLE])
    return (len(head) - len(head.translate(None, _CONTROL))) * 20 <= len(head)


def as_text(data: bytes) -> str:
    """Decode cleaned bytes with plain newlines; invalid UTF-8 becomes the replacement character."""
    return clean(data).decode("utf-8", "replace").replace("\r\n", "\n")


def number(value: object) -> float | int | None:
    """Return a finite number that fits a database column, else None (NaN, text, booleans)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # NaN and infinity fail both comparisons.
    return value if -_LARGEST < value < _LARGEST else None


def parse_number(text: str) -> float | None:
    """Return the number in a text; None for other text, negative numbers and those out of range."""
    try:
        value = number(float(text))
    except ValueError:
        return None
    return None if value is None or value < 0 else float(value)


def count(value: object) -> int:
    """Return a positive count; 0 for any other value."""
    value_or_none = number(value)
    return int(value_or_none) if value_or_none is not None and value_or_none > 0 else 0


def without_variables(name: str) -> str:
    """Return the name of a file, disk or pool in a command; empty if a shell expands it."""
    return "" if any(sign in name for sign in "$`*?{") else name

"""Parse sizes of dd.

coreutils (xstrtol.c): k, M, G are 1024, kB, MB, GB are 1000, b is 512, w is 2, and 2x1k multiplies.
BSD's lower-case m and g are 1024 as well.
"""

from __future__ import annotations

import re

_SIZE = re.compile(r"^(\d{1,15})(?:([kmgtpe])(i?b)?|([cwb]))?$", re.IGNORECASE)
_SMALL = {"c": 1, "w": 2, "b": 512}
_BYTES = re.compile(r"\d{1,15}B")
LARGEST = 2**62


def parse_size(text: str) -> int | None:
    """Return the bytes of dd's "4k", "32M", "1MB", "2x512"; None if it is no size."""
    product = 1
    for factor in text.split("x")[:8]:
        match = _SIZE.match(factor)
        if not match:
            return None
        product *= int(match[1]) * _unit(match)
    return product if 0 < product < LARGEST else None


def _unit(match: re.Match[str]) -> int:
    if match[4]:
        return _SMALL[match[4].lower()]
    if not match[2]:
        return 1
    base = 1000 if (match[3] or "").lower() == "b" else 1024
    power: int = base ** ("kmgtpe".index(match[2].lower()) + 1)
    return power


def is_bytes(text: str) -> bool:
    """Return True if a count is a number of bytes: "1000B" (coreutils 9.1 and later)."""
    return _BYTES.fullmatch(text) is not None

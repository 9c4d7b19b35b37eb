"""Keys of rows that addresses and forms send as text."""

from __future__ import annotations

MAX_DIGITS = 18
"""More may not fit into a bigint."""


def parse_key(text: str) -> int:
    """Return the key of a row; 0, which no row has, for a text that is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0

"""Primary keys in URLs and forms."""

from __future__ import annotations

MAX_DIGITS = 18
"""Digits that always fit a bigint."""


def parse_key(text: str) -> int:
    """Return the key of a row; 0, which no row has, for an invalid text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else 0

"""Pairs of adjacent characters, for search in scripts without spaces.

pg_trgm needs three letters, and has none for Chinese under the C locale. An index of pairs finds
words of two characters.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db.models import Func, TextField

SHORTEST = 2


class CharacterPairs(Func):
    """Pairs of a text in upper case with a character beyond ASCII (migration `common.0002_sql`)."""

    function = "character_pairs"
    arity = 1
    output_field: ArrayField[Any, Any] = ArrayField(TextField())


def has_pairs(text: str) -> bool:
    """Return True if the text has such a pair."""
    return len(text) >= SHORTEST and not text.isascii()

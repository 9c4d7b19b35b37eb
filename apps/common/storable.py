"""Text that PostgreSQL can store."""

from __future__ import annotations

import re
from typing import Any

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def cleaned(value: Any) -> Any:
    """The same JSON value with every text storable in PostgreSQL: no NUL, no lone surrogate."""
    if isinstance(value, str):
        return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {cleaned(name): cleaned(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [cleaned(inner) for inner in value]
    return value

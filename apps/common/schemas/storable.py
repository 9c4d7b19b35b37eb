"""Values that PostgreSQL can store."""

from __future__ import annotations

import math
import re
from typing import Any, TypeVar

from apps.tools.messages import TranslatableMessage

T = TypeVar("T")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def cleaned(value: T) -> T:
    """Return a JSON value that PostgreSQL can store.

    Text loses NUL and lone surrogates; numbers that are not finite become None.
    """
    result: T = _cleaned(value)
    return result


def _cleaned(value: Any) -> Any:
    if isinstance(value, TranslatableMessage):
        return TranslatableMessage(value.message, value.plural, _cleaned(dict(value.values)))
    if isinstance(value, str):
        return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {_cleaned(name): _cleaned(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value

"""The further values of a measurement (`Measurement.values`), which the tool's room names: each is
read as the type it had when it was written.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from apps.tools.values import Values

T = TypeVar("T")


def told_value(values: Values, name: str, kind: type[T]) -> T | None:
    """The value of this name; None where there is none, or one of another shape, which an earlier
    release wrote.
    """
    try:
        return msgspec.convert(values[name], kind) if name in values else None
    except msgspec.ValidationError:
        return None

"""Typed access to `Measurement.values`."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from apps.tools.values import Values

T = TypeVar("T")


def typed_value(values: Values, name: str, kind: type[T]) -> T | None:
    """Return a value, None if it is missing or has another type (earlier releases)."""
    try:
        return msgspec.convert(values[name], kind) if name in values else None
    except msgspec.ValidationError:
        return None

"""Order of names with numbers: loop2 before loop10."""

from __future__ import annotations

from django.db.models import CharField, F, Func, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower

DIGITS = 12
"""Digits of a number that are compared."""


def natural_order(name: str | Combinable) -> Func:
    """Return the sort key of a text column: lower case, each number padded with zeros.

    A collation of ICU (kn-true) does the same, but the embedded PostgreSQL is built without ICU.
    The first replacement puts zeros before each number, the second cuts it to its last digits.
    """
    lower = Lower(F(name) if isinstance(name, str) else name)
    padded = _replace(lower, r"([0-9]+)", "0" * DIGITS + r"\1")
    return _replace(padded, f"[0-9]*([0-9]{{{DIGITS}}})", r"\1")


def _replace(text: Combinable, pattern: str, by: str) -> Func:
    return Func(
        text,
        Value(pattern),
        Value(by),
        Value("g"),
        function="regexp_replace",
        output_field=CharField(),
    )

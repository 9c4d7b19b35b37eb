"""Answers of a host become values here: JSON that is finite, not too deep and of the right types.

What an answer may be is written as types (apps.remote.answers); everything here raises ValueError
with what is wrong and where.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

MAX_DEPTH = 32
# What PostgreSQL keeps as a number of ours (bigint).
MAX_INTEGER = 2**63 - 1
# Values of one answer. The facts of hundreds of disks with all their queues are some ten thousand;
# as objects they take many times the room they have on the wire, so they are counted there.
MAX_VALUES = 250_000
SHOWN = 200
LONGEST_TEXT = 10_000
# Control characters but tab and line feed, and those that change the direction of writing (UAX #9)
# or are invisible: terminals obey the former, readers are deceived by the latter.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)


def decoded(text: bytes) -> dict[str, object]:
    """A JSON object: no NaN, no infinity, no number beyond what is kept, at most MAX_DEPTH deep,
    and about MAX_VALUES values at most (what is counted is what separates them). Texts are without
    control characters and at most LONGEST_TEXT long.
    """
    if text.count(b",") > MAX_VALUES:
        raise ValueError(f"has more than {MAX_VALUES} values")
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"is not JSON ({str(error)[:SHOWN]})") from error
    if not isinstance(value, dict):
        raise ValueError("is not a JSON object")
    _check(value)
    return value


def typed(value: Any, kind: type[T], what: str) -> T:
    """`value` as one of the types of apps.remote.answers; `what` names it in the error."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{what}: {str(error)[:SHOWN]}") from error


def as_it_came(value: Any, kind: type[T], what: str) -> T:
    """As `typed`, but the value itself, also with what the type does not name."""
    typed(value, kind, what)
    known: T = value
    return known


def _check(value: dict[str, object]) -> None:
    """Depth, integers and texts, without recursion: it is what it protects from."""
    layer: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        for outer in layer:
            _clean_texts(outer)
        layer = [inner for outer in layer for inner in _inside(outer)]
        if not layer:
            return
    raise ValueError(f"is nested deeper than {MAX_DEPTH} levels")


def clean_text(text: str) -> str:
    """A text of a host without control characters, cut to LONGEST_TEXT."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)[:LONGEST_TEXT]


def _clean_texts(value: Any) -> None:
    """Replace the texts directly inside an object or a list by clean ones."""
    if isinstance(value, dict):
        pairs = [(clean_text(name), _clean(inner)) for name, inner in value.items()]
        value.clear()
        value.update(pairs)
    elif isinstance(value, list):
        value[:] = [_clean(inner) for inner in value]


def _clean(value: Any) -> Any:
    return clean_text(value) if isinstance(value, str) else value


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return value
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise ValueError("has a number that is too large")
    return []

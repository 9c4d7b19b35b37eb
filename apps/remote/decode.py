"""Decode and validate responses of a host: bounded JSON of the types in apps.remote.responses.

All functions raise ValueError with the error and its position.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

MAX_DEPTH = 32
# Largest bigint of PostgreSQL.
MAX_INTEGER = 2**63 - 1
# Values of one response; the facts of hundreds of disks have some ten thousand. Checked before
# decoding, since decoded objects need many times the memory of the encoded text.
MAX_VALUES = 250_000
MAX_ERROR_LENGTH = 200
MAX_TEXT_LENGTH = 10_000
# Control characters except tab and line feed, bidirectional controls (UAX #9) and invisible
# characters: terminals execute the former, the latter mislead readers.
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)


def decode_object(text: bytes) -> dict[str, object]:
    """Return the JSON object: no NaN or infinity, integers of 64 bits, at most MAX_DEPTH deep.

    Counts commas to limit the values to about MAX_VALUES. Removes control characters from texts and
    cuts them to MAX_TEXT_LENGTH.
    """
    if text.count(b",") > MAX_VALUES:
        raise ValueError(f"has more than {MAX_VALUES} values")
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"is not JSON ({str(error)[:MAX_ERROR_LENGTH]})") from error
    if not isinstance(value, dict):
        raise ValueError("is not a JSON object")
    _check(value)
    return value


def convert(value: Any, kind: type[T], what: str) -> T:
    """Return `value` as one of the types of apps.remote.responses; `what` names it in the error."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{what}: {str(error)[:MAX_ERROR_LENGTH]}") from error


def check_type(value: Any, kind: type[T], what: str) -> T:
    """Return `value` itself, including fields unknown to the type, if `convert` accepts it."""
    convert(value, kind, what)
    checked: T = value
    return checked


def _check(value: dict[str, object]) -> None:
    """Check depth, integers and texts.

    Not recursive, so that deep input cannot exhaust the stack.
    """
    layer: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        for outer in layer:
            _clean_children(outer)
        layer = [inner for outer in layer for inner in _children(outer)]
        if not layer:
            return
    raise ValueError(f"is nested deeper than {MAX_DEPTH} levels")


def clean_text(text: str) -> str:
    """Replace control characters in a text of a host and cut it to MAX_TEXT_LENGTH."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)[:MAX_TEXT_LENGTH]


def _clean_children(value: Any) -> None:
    """Clean the texts directly inside an object or a list."""
    if isinstance(value, dict):
        pairs = [(clean_text(name), _clean(inner)) for name, inner in value.items()]
        value.clear()
        value.update(pairs)
    elif isinstance(value, list):
        value[:] = [_clean(inner) for inner in value]


def _clean(value: Any) -> Any:
    return clean_text(value) if isinstance(value, str) else value


def _children(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list):
        return value
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise ValueError("has a number that is too large")
    return []

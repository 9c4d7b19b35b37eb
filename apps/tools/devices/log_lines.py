"""Read logs of the agent, a JSON object a line. Their content is a host's: it may be anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

LARGEST = 2**53
"""Limit of numbers: below it floats are exact, and products with units fit PostgreSQL's bigint."""

LEAST_SECONDS = 0.001
"""Samples closer than this give no rate."""
MAX_NAME = 40
MOST_NAMES = 1_024
"""Devices, sensors and cards of one log; a series is stored for each."""


def log_entries(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects of whole lines; orjson refuses NaN, infinity and deep nesting."""
    for line in data.split(b"\n")[:-1]:
        try:
            entry = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            yield entry


def number(value: object) -> float:
    """Return a number of an entry. Raises: TypeError; ValueError above the limit."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(value)
    if not -LARGEST <= value <= LARGEST:
        raise ValueError("larger than any counter")
    return float(value)


def short_name(value: object) -> str:
    """Return the name of a device, card or sensor as it can be stored."""
    text = str(value)[:MAX_NAME]
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def whole(value: object) -> int:
    """Return a whole number of an entry. Raises: TypeError; ValueError above the limit."""
    return int(number(value))

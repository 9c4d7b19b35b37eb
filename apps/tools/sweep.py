"""Points of a parameter sweep."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from apps.tools.messages import error_message, message

from .errors import ParamsError
from .fields import Field
from .param_values import read_field

MAX_POINTS = 5_000


def sweep(
    raw: Mapping[str, Any], fields: Mapping[str, Field] | None = None
) -> list[dict[str, object]]:
    """Return every point of a plan step.

    A list, or text with commas, gives several values; a range such as "1..128" gives its doublings.
    The last name varies fastest. Names keep their order and repeated values are dropped. A value
    that may contain commas itself (a CPU list) is not split; sweep it with a list.

    Raises: ParamsError above MAX_POINTS points.
    """
    options = {name: _options(name, value, (fields or {}).get(name)) for name, value in raw.items()}
    empty = {
        name: message("Give at least one value.") for name, values in options.items() if not values
    }
    if empty:
        raise ParamsError(empty)
    points = 1
    for values in options.values():
        points *= len(values)
    if points > MAX_POINTS:
        raise _too_many(max(options, key=lambda name: len(options[name])), points)
    return [
        dict(zip(options, combination, strict=True))
        for combination in itertools.product(*options.values())
    ]


def _options(name: str, value: Any, field: Field | None) -> list[Any]:
    if isinstance(value, str) and "," in value and not (field and field.holds_commas):
        value = [piece.strip() for piece in value.split(",") if piece.strip()]
    if not isinstance(value, (list, tuple)):
        value = [value]
    if field is not None and field.kind in ("size", "int"):
        value = [point for each in value for point in _doublings(name, each, field)]
    if len(value) > MAX_POINTS:
        raise _too_many(name, len(value))  # before the quadratic search for duplicates
    return [item for i, item in enumerate(value) if item not in value[:i]]


def _doublings(name: str, value: Any, field: Field) -> list[Any]:
    """Return the values of a range: "4k..64k" is 4k, 8k, 16k, 32k, 64k; the end is a value."""
    low, dots, high = value.partition("..") if isinstance(value, str) else ("", "", "")
    if not dots:
        return [value]
    try:
        first, last = (read_field(field, text) for text in (low, high))
    except ValueError as error:
        reason = message("%(value)s: %(reason)s", value=str(value), reason=error_message(error))
        raise ParamsError({name: reason}) from error
    if not 0 < first <= last:
        reason = message("%(value)s: a range goes up from at least 1, as in 4k..64k.", value=value)
        raise ParamsError({name: reason})
    steps = [first << power for power in range((last // first).bit_length())]
    return steps if steps[-1] == last else [*steps, last]


def _too_many(name: str, points: int) -> ParamsError:
    reason = message(
        "This sweep has %(points)d points; at most %(limit)d are allowed.",
        points=points,
        limit=MAX_POINTS,
    )
    return ParamsError({name: reason})

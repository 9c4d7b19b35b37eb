"""Typed parameters from what people write: the one way a plugin turns raw values into a Params
dataclass.

A plugin's `params.py` declares a frozen dataclass and a table name -> `Field`; `build` parses,
checks ranges and fills in defaults. Sizes are bytes and follow fio's rule that k, M, G, T are
powers of 1024 (fio(1), "kb_base"); durations are whole seconds.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from apps.tools.messages import error_message, message

from .errors import ParamsError
from .fields import Field, Params

MAX_POINTS = 1_000
MAX_CPU = 4_095
_SIZE = re.compile(r"^(\d{1,18}) ?(?:([kmgtp])(?:i?b)?|b)?$", re.IGNORECASE)
_DURATION = re.compile(r"^(\d{1,9}) ?(s|sec|m|min|h|d)?$", re.IGNORECASE)
_INT = re.compile(r"^-?\d{1,18}$")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}\Z")
_CPUS = re.compile(r"^\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?){0,255}$")
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_SECONDS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_FLAGS = {"1": True, "true": True, "yes": True, "on": True} | {
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}

P = TypeVar("P")


def parse_size(value: object) -> int:
    """Bytes from 4096, "4096", "4k", "4KiB" or "1 G" (k is always 1024). Raises ValueError with a
    sentence.
    """
    match = _SIZE.match(str(value).strip()) if _plain(value) else None
    if not match:
        raise ValueError(message("Write a size such as 4k, 1M or 100G."))
    return int(match[1]) << 10 * _POWERS[(match[2] or "").lower()]


def parse_duration(value: object) -> int:
    """Seconds from 300, "300", "30s", "5m", "2h" or "1d". Raises ValueError with a sentence."""
    match = _DURATION.match(str(value).strip()) if _plain(value) else None
    if not match:
        raise ValueError(message("Write a duration such as 30s, 5m or 2h."))
    return int(match[1]) * _SECONDS[(match[2] or "").lower()]


def parse_int(value: object) -> int:
    """A whole number from 3 or "3". Raises ValueError with a sentence."""
    text = str(value).strip()
    if not _plain(value) or not _INT.match(text):
        raise ValueError(message("Write a whole number."))
    return int(text)


def parse_flag(value: object) -> bool:
    """True or false from a boolean, 0, 1, "yes", "off" and the like. Raises ValueError with a
    sentence.
    """
    flag = _FLAGS.get(str(value).strip().lower())
    if flag is None:
        raise ValueError(message("Choose yes or no."))
    return flag


def parse_name(value: object) -> str:
    """A plain name of letters, digits, - and _. Raises ValueError with a sentence."""
    if not isinstance(value, str) or not _NAME.match(value):
        raise ValueError(message("Use 1 to 32 letters, digits, - or _."))
    return value


def parse_cpus(value: object) -> str:
    """A CPU list such as "0-3,8", in its shortest ascending form. Raises ValueError with a
    sentence.
    """
    text = str(value).replace(" ", "") if _plain(value) else ""
    if not _CPUS.match(text):
        raise ValueError(message("Write CPUs as 0-3,8."))
    return format_cpus(cpu_numbers(text))


def cpu_numbers(text: str) -> list[int]:
    """The CPU numbers of a list such as "0-3,8", ascending. Raises ValueError with a sentence."""
    numbers: set[int] = set()
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        start, end = int(first), int(last or first)
        if end < start or end > MAX_CPU:
            raise ValueError(message("CPU ranges ascend and end at %(most)d.", most=MAX_CPU))
        numbers.update(range(start, end + 1))
    return sorted(numbers)


def format_cpus(numbers: list[int]) -> str:
    """CPU numbers as a list with ranges: [0, 1, 2, 8] is "0-2,8"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


_PARSERS: Mapping[str, Callable[[object], Any]] = {
    "size": parse_size,
    "duration": parse_duration,
    "int": parse_int,
    "flag": parse_flag,
    "name": parse_name,
    "cpus": parse_cpus,
}


def _plain(value: object) -> bool:
    """Text or a whole number: True and 4.5 are neither a size nor a count."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def read_field(field: Field, value: object) -> Any:
    """One value in canonical form, None for an empty optional one. Raises ValueError with a
    sentence.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        if field.optional:
            return None
        raise ValueError(message("A value is needed here."))
    if field.kind == "choice":
        return _choice(field, value)
    if field.kind == "text":
        return _text(field, value)
    parsed = _PARSERS[field.kind](value)
    if field.kind in ("size", "duration", "int"):
        _check_range(field, parsed)
    return parsed


def _choice(field: Field, value: object) -> str:
    if not isinstance(value, str) or value not in field.choices:
        raise ValueError(message("Choose one of %(names)s.", names=", ".join(field.choices)))
    return value


def _text(field: Field, value: object) -> str:
    text = str(value).strip() if _plain(value) else ""
    if not re.fullmatch(field.pattern, text, re.ASCII):
        raise ValueError(message("Write it as %(example)s.", example=field.example))
    return text


def _check_range(field: Field, value: float) -> None:
    unit = f" {field.unit}" if field.unit else ""
    if field.minimum is not None and value < field.minimum:
        raise ValueError(
            message("At least %(least)s%(unit)s.", least=f"{field.minimum:.15g}", unit=unit)
        )
    if field.maximum is not None and value > field.maximum:
        raise ValueError(
            message("At most %(most)s%(unit)s.", most=f"{field.maximum:.15g}", unit=unit)
        )


def build(cls: type[P], fields: Mapping[str, Field], raw: Mapping[str, Any]) -> P:
    """A plugin's dataclass from raw values: unknown names are refused, missing ones take the
    dataclass's default.

    Every wrong field is reported at once. A class with a field `more` keeps there what it has no
    field for. Raises ParamsError.
    """
    unknown = message("There is no such parameter.")
    errors: dict[str, str] = {str(name): unknown for name in raw if name not in fields}
    values: dict[str, object] = {}
    for name, field in fields.items():
        if name not in raw:
            continue
        try:
            values[name] = read_field(field, raw[name])
        except ValueError as error:
            errors[name] = error_message(error)
    errors |= {
        name: message("A value is needed here.") for name in _required(cls) if name not in raw
    }
    if errors:
        raise ParamsError(errors)
    return cls(**_with_more(cls, values))


def _with_more(cls: type[Any], values: dict[str, object]) -> dict[str, object]:
    """Parameters without a field of their own, those that are set, as pairs in `more`."""
    own = {each.name for each in dataclasses.fields(cls)}
    if "more" not in own:
        return values
    more = sorted((n, v) for n, v in values.items() if n not in own and v is not None)
    return {name: value for name, value in values.items() if name in own} | {"more": tuple(more)}


def _required(cls: type[Any]) -> list[str]:
    missing = dataclasses.MISSING
    return [
        f.name
        for f in dataclasses.fields(cls)
        if f.default is missing and f.default_factory is missing
    ]


def sweep(
    raw: Mapping[str, Any], fields: Mapping[str, Field] | None = None
) -> list[dict[str, object]]:
    """Every point of a plan step: a list, or text with commas, stands for several values, and a
    range such as "1..128" for its doublings.

    The last name varies fastest; names keep the order they were given in and repeated values count
    once. What may hold commas itself (a CPU list) keeps them; sweep it with a list. Raises
    ParamsError above MAX_POINTS points.
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
        value = [one for each in value for one in _doublings(name, each, field)]
    if len(value) > MAX_POINTS:
        raise _too_many(name, len(value))  # before they are compared with each other
    return [item for i, item in enumerate(value) if item not in value[:i]]


def _doublings(name: str, value: Any, field: Field) -> list[Any]:
    """The values of a range such as "4k..64k": 4k, 8k, 16k, 32k and 64k; the end is always one."""
    low, dots, high = value.partition("..") if isinstance(value, str) else ("", "", "")
    if not dots:
        return [value]
    try:
        first, last = (read_field(field, text) for text in (low, high))
    except ValueError as error:
        why = message("%(value)s: %(why)s", value=str(value), why=error_message(error))
        raise ParamsError({name: why}) from error
    if not 0 < first <= last:
        told = message("%(value)s: a range goes up from at least 1, as in 4k..64k.", value=value)
        raise ParamsError({name: told})
    steps = [first << power for power in range((last // first).bit_length())]
    return steps if steps[-1] == last else [*steps, last]


def _too_many(name: str, points: int) -> ParamsError:
    told = message(
        "This sweep has %(points)d points; at most %(most)d are allowed.",
        points=points,
        most=MAX_POINTS,
    )
    return ParamsError({name: told})


def workload_key(tool: str, params: Params) -> str:
    """The identity of a workload across hosts and runs: 16 hexadecimal digits.

    The first 16 digits of the SHA-256 of the UTF-8 text `{"params":<canonical>,"tool":"<tool>"}`
    with keys sorted at every level, no spaces and no escaping of non-ASCII letters. This form never
    changes; a parameter added to a plugin later is left out of `canonical()` while it has its
    default, so old keys stay valid.
    """
    return canonical_key({"tool": tool, "params": params.canonical()})


def canonical_key(value: Mapping[str, object]) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the canonical text of `value`."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def format_size(size: int) -> str:
    """Bytes for people in the largest binary unit that divides them: 4096 is "4 KiB"."""
    units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
    power = 0
    while size and size % 1024 == 0 and power < len(units) - 1:
        size, power = size // 1024, power + 1
    return f"{size} {units[power]}"

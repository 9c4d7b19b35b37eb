"""Parse and format single values of parameters.

Sizes are bytes and follow fio's rule that k, M, G, T are powers of 1024 (fio(1), "kb_base");
durations are whole seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from apps.tools.messages import message

from .fields import Field

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


def parse_size(value: object) -> int:
    """Return the bytes of 4096, "4096", "4k", "4KiB" or "1 G" (k is always 1024).

    Raises: ValueError with a sentence.
    """
    match = _SIZE.match(str(value).strip()) if _is_plain(value) else None
    if not match:
        raise ValueError(message("Write a size such as 4k, 1M or 100G."))
    return int(match[1]) << 10 * _POWERS[(match[2] or "").lower()]


def parse_duration(value: object) -> int:
    """Return the seconds of 300, "300", "30s", "5m", "2h" or "1d".

    Raises: ValueError with a sentence.
    """
    match = _DURATION.match(str(value).strip()) if _is_plain(value) else None
    if not match:
        raise ValueError(message("Write a duration such as 30s, 5m or 2h."))
    return int(match[1]) * _SECONDS[(match[2] or "").lower()]


def parse_int(value: object) -> int:
    """Return a whole number from 3 or "3".

    Raises: ValueError with a sentence.
    """
    text = str(value).strip()
    if not _is_plain(value) or not _INT.match(text):
        raise ValueError(message("Write a whole number."))
    return int(text)


def parse_flag(value: object) -> bool:
    """Return the value of a boolean, 0, 1, "yes", "off" and the like.

    Raises: ValueError with a sentence.
    """
    flag = _FLAGS.get(str(value).strip().lower())
    if flag is None:
        raise ValueError(message("Choose yes or no."))
    return flag


def parse_name(value: object) -> str:
    """Validate a plain name of letters, digits, - and _.

    Raises: ValueError with a sentence.
    """
    if not isinstance(value, str) or not _NAME.match(value):
        raise ValueError(message("Use 1 to 32 letters, digits, - or _."))
    return value


def parse_cpus(value: object) -> str:
    """Return a CPU list such as "0-3,8" in its shortest ascending form.

    Raises: ValueError with a sentence.
    """
    text = str(value).replace(" ", "") if _is_plain(value) else ""
    if not _CPUS.match(text):
        raise ValueError(message("Write CPUs as 0-3,8."))
    return format_cpus(cpu_numbers(text))


def cpu_numbers(text: str) -> list[int]:
    """Return the CPU numbers of a list such as "0-3,8", ascending.

    Raises: ValueError with a sentence.
    """
    numbers: set[int] = set()
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        start, end = int(first), int(last or first)
        if end < start or end > MAX_CPU:
            raise ValueError(message("CPU ranges ascend and end at %(maximum)d.", maximum=MAX_CPU))
        numbers.update(range(start, end + 1))
    return sorted(numbers)


def format_cpus(numbers: list[int]) -> str:
    """Format CPU numbers as a list with ranges: [0, 1, 2, 8] is "0-2,8"."""
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


def _is_plain(value: object) -> bool:
    """Return True for text and whole numbers; True and 4.5 are neither a size nor a count."""
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def read_field(field: Field, value: object) -> Any:
    """Return a value in canonical form; None for an empty optional one.

    Raises: ValueError with a sentence.
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
    text = str(value).strip() if _is_plain(value) else ""
    if not re.fullmatch(field.pattern, text, re.ASCII):
        raise ValueError(message("Write it as %(example)s.", example=field.example))
    return text


def _check_range(field: Field, value: float) -> None:
    unit = f" {field.unit}" if field.unit else ""
    if field.minimum is not None and value < field.minimum:
        raise ValueError(
            message("At least %(minimum)s%(unit)s.", minimum=f"{field.minimum:.15g}", unit=unit)
        )
    if field.maximum is not None and value > field.maximum:
        raise ValueError(
            message("At most %(maximum)s%(unit)s.", maximum=f"{field.maximum:.15g}", unit=unit)
        )


def format_size(size: int) -> str:
    """Format bytes in the largest binary unit that divides them: 4096 is "4 KiB"."""
    units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
    power = 0
    while size and size % 1024 == 0 and power < len(units) - 1:
        size, power = size // 1024, power + 1
    return f"{size} {units[power]}"

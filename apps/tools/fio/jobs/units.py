"""Numbers in fio's notation (parse.c: `str_to_decimal`, `get_mult_time`, `__get_mult_bytes`)."""

from __future__ import annotations

import re

from apps.tools.messages import message
from apps.tools.param_values import format_size

_NUMBER = re.compile(r"(?P<number>0[xX][0-9a-fA-F]{1,15}|\d{1,18})(?P<suffix>[a-zA-Z]{0,5}|%)")
_POWERS = "kmgtp"
_OPPOSITE = {1024: 1000, 1000: 1024}
_SECOND = 1_000_000
_TIMES = {"s": 1, "m": 60, "h": 3600, "d": 86400}
ARITHMETIC = message(
    "fio would calculate or look up this value on the host: write the number it makes."
)

NOTHING = message("nothing is no number.")


def read_bytes(text: str, kb_base: int = 1024) -> int:
    """Return the bytes of a number with k, m, g, t or p, with or without b.

    "KiB" is the opposite of "k": with the default kb_base of 1024 it is 1000 bytes. Raises:
    ValueError with a message.
    """
    number, suffix = _parts(text)
    if suffix == "%":
        raise ValueError(message("A share of the target depends on the target: write bytes."))
    power = _POWERS.find(suffix[:1].lower()) + 1 if suffix else 0
    if suffix and not (power and suffix[1:].lower() in ("", "b", "i", "ib")):
        raise ValueError(message("%(text)s has no unit of fio's: write 4k, 1m or 10g.", text=text))
    base = _OPPOSITE[kb_base] if suffix[1:].lower() == "ib" else kb_base
    return int(number * base**power)


def read_time(text: str, *, in_seconds: bool) -> int:
    """Return the microseconds of a time.

    A plain number is in seconds or microseconds, depending on its option. Raises: ValueError with a
    message.
    """
    number, suffix = _parts(text)
    unit = suffix.lower()
    if not unit:
        return number * (_SECOND if in_seconds else 1)
    if unit in ("us", "usec"):
        return number
    if unit in ("ms", "msec"):
        return number * 1000
    if unit in _TIMES:
        return number * _TIMES[unit] * _SECOND
    raise ValueError(
        message("%(text)s has no unit of fio's: write 30s, 5m, 2h, 500ms or 100us.", text=text)
    )


def whole_seconds(text: str) -> int:
    """Return the seconds of a time whose plain number is in seconds.

    Raises: ValueError with a message.
    """
    microseconds = read_time(text, in_seconds=True)
    if microseconds % _SECOND:
        raise ValueError(
            message("benchlab measures whole seconds, and %(text)s is none.", text=text)
        )
    return microseconds // _SECOND


def short(size: int) -> str:
    """Return bytes in fio's notation: 65536 is "64k"."""
    number, unit = format_size(size).split(" ")
    return number + ("" if unit == "B" else unit[0].lower())


def _parts(text: str) -> tuple[int, str]:
    match = _NUMBER.fullmatch(text)
    if match is None:
        plain = re.fullmatch(r"[\w.,:/-]*", text)
        no_number = message("%(text)s is no number.", text=text) if text else NOTHING
        raise ValueError(no_number if plain else ARITHMETIC)
    return int(match["number"], 0) if "x" in match["number"].lower() else int(match["number"]), (
        match["suffix"]
    )

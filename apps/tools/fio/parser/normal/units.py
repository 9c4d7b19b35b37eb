"""Numbers in fio's text output, converted to bytes, nanoseconds, operations.

fio 3.x: "87.0MiB/s (91.2MB/s)" is binary first, decimal in parentheses; kb_base=1000 reverses the
order, and with unit_base=1 rates are bits ("444Mbit/s"). Before 3.0 "KB" and "MB" are powers of
1024 (fio(1), "kb_base"). A plain k, K or M after a count or a latency is a power of 1000 (fio:
num2str).
"""

from __future__ import annotations

import re

from apps.tools.text import number

AMOUNT = r"\d[\d.]{0,20} ?(?:[kKMGTP]i?)?(?:B|bit)?"
COUNT = r"\d[\d.]{0,20}[kKMGT]?"
_SPLIT = re.compile(r"^(\d+(?:\.\d+)?) ?([kKMGTP]?)(i?)(bit|[bB])?$")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
NANOSECONDS = {"nsec": 1, "usec": 1000, "msec": 1_000_000, "sec": 1_000_000_000}
_PAIR = re.compile(rf"(\w{{1,64}})= *({COUNT})")


def amount(text: str, base: int = 1024) -> float | None:
    """Return the bytes of "3309MiB", "10240MB", "775611 B", "4K" or "424Mibit"."""
    return _scaled(text, base)


def base_of(text: str) -> int:
    """Return the base of a unit as fio writes it from 3.0 on: 1024 with an "i", else 1000."""
    return 1024 if "i" in text.removesuffix("bit") else 1000


def counted(text: str) -> float | None:
    """Return a count or a time from "131k" or "1339.4K": powers of 1000."""
    return _scaled(text, 1000)


def _scaled(text: str, base: int) -> float | None:
    match = _SPLIT.match(text.strip())
    if not match:
        return None
    value = float(match[1]) * base ** _POWERS[match[2].upper()]
    if match[4] == "bit":
        value /= 8
    parsed = number(value)
    return None if parsed is None else (int(value) if value.is_integer() else value)


def pairs(text: str, unit: float = 1) -> dict[str, float]:
    """Return the pairs of "min=2, max=8626, avg= 7.91", multiplied by a unit.

    In microseconds: {"min": 2000.0, "max": 8626000.0, "avg": 7910.0}.
    """
    values: dict[str, float] = {}
    for name, value in _PAIR.findall(text):
        parsed = counted(value)
        if parsed is not None:
            # Rounding removes the error of the multiplication: 7.91 usec are 7910 ns.
            values[name] = round(parsed * unit, 6)
    return values

"""Format stored units for display.

Stored are bytes/s, operations/s, ns, bytes and seconds. Displayed prefixes are always explicit:
MiB/s is 2**20, MB/s is 10**6 bytes/s (IEC 80000-13). Functions return a number with its unit and a
real minus sign. Raises: ValueError for a value that is not finite.
"""

from __future__ import annotations

import math

from django.utils.translation import gettext as _

MINUS = "\N{MINUS SIGN}"
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
_TIME = ((1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s"))


def number(value: float, *, decimals: int = 0) -> str:
    """Format with thousands separators and a real minus sign; a rounded zero has no sign."""
    text = f"{value:,.{decimals}f}"
    if text.startswith("-"):
        return text[1:] if float(text.replace(",", "")) == 0 else MINUS + text[1:]
    return text


def significant(value: float, *, digits: int = 4, min_decimals: int = 0) -> str:
    """Format with at least `digits` significant digits and `min_decimals` decimals."""
    _require_finite(value)
    if value == 0:
        return number(0, decimals=min_decimals)
    rounded = float(f"{value:.{digits - 1}e}")
    magnitude = math.floor(math.log10(abs(rounded)))
    return number(value, decimals=max(min_decimals, digits - 1 - magnitude))


def mib_per_second(value: float) -> str:
    """Format bytes/s in MiB/s, or in KiB/s and B/s below a tenth of the unit above."""
    _require_finite(value)
    size = abs(value)
    if size == 0 or size >= 0.1 * 2**20:
        return f"{significant(value / 2**20, min_decimals=1)} MiB/s"
    if size >= 0.1 * 2**10:
        return f"{significant(value / 2**10, min_decimals=1)} KiB/s"
    return f"{significant(value, min_decimals=1)} B/s"


def mb_per_second(value: float) -> str:
    """Format bytes/s in MB/s, or in kB/s and B/s below a tenth of the unit above."""
    _require_finite(value)
    size = abs(value)
    if size == 0 or size >= 0.1 * 10**6:
        return f"{significant(value / 10**6, min_decimals=1)} MB/s"
    if size >= 0.1 * 10**3:
        return f"{significant(value / 10**3, min_decimals=1)} kB/s"
    return f"{significant(value, min_decimals=1)} B/s"


def gbit_per_second(value: float) -> str:
    """Format bytes/s in Gbit/s (10**9 bits), or in Mbit/s below a tenth of one."""
    _require_finite(value)
    bits = value * 8
    if bits == 0 or abs(bits) >= 1e8:
        return f"{significant(bits / 1e9)} Gbit/s"
    return f"{significant(bits / 1e6)} Mbit/s"


def operations_per_second(value: float) -> str:
    """Format operations/s: whole from 1000 on, four significant digits below."""
    if value == 0:
        return "0 IOPS"
    return f"{significant(value)} IOPS"


def nanoseconds(value: float) -> str:
    """Format ns as ns, µs, ms or s with four significant digits; whole ns stay whole."""
    _require_finite(value)
    if value == 0:
        return "0 ns"
    rounded = abs(float(f"{value:.3e}"))
    scale, unit = [pair for pair in _TIME if rounded >= pair[0] or pair[0] == 1.0][-1]
    if scale == 1.0 and float(value).is_integer():
        return f"{number(value)} ns"
    return f"{significant(value / scale)} {unit}"


def binary_bytes(value: float) -> str:
    """Format bytes as B, KiB ... EiB with four significant digits: `1.5 KiB`."""
    _require_finite(value)
    size = value
    for unit in _BINARY[:-1]:
        if abs(float(f"{size:.3e}")) < 1024:
            return f"{_short(size)} {unit}"
        size /= 1024
    return f"{_short(size)} {_BINARY[-1]}"


def is_whole_binary(value: float) -> bool:
    """Return True for a whole number of B, KiB, MiB ... below 1024: 4096, 10 * 2**30."""
    size = value
    while size >= 1024 and size % 1024 == 0:
        size /= 1024
    return size < 1024 and float(size).is_integer()


def decimal_bytes(value: float) -> str:
    """Format bytes as B, kB ... EB with four significant digits: `960.2 GB`."""
    _require_finite(value)
    size = value
    for unit in _DECIMAL[:-1]:
        if abs(float(f"{size:.3e}")) < 1000:
            return f"{_short(size)} {unit}"
        size /= 1000
    return f"{_short(size)} {_DECIMAL[-1]}"


def exact_bytes(value: float) -> str:
    """Format the whole number of bytes: `1,536 bytes`."""
    _require_finite(value)
    return _("%(count)s bytes") % {"count": number(value)}


def seconds(value: float) -> str:
    """Format seconds by the two largest parts: `350 ms`, `12.5 s`, `5 min 3 s`, `2 h 5 min`."""
    _require_finite(value)
    if abs(value) < 59.95:
        return _under_a_minute(value)
    sign = MINUS if value < 0 else ""
    for size, large, part, small in ((60, "min", 1, "s"), (3600, "h", 60, "min")):
        whole = round(abs(value) / part)
        if whole * part < size * (60 if size == 60 else 24):
            first, rest = divmod(whole * part, size)
            return f"{sign}{first} {large} {rest // part} {small}"
    days, hours = divmod(round(abs(value) / 3600), 24)
    return f"{sign}{number(days)} d {hours} h"


def whole(value: float) -> str:
    """Format a count with thousands separators."""
    _require_finite(value)
    return number(value)


def change(ratio: float) -> str:
    """Format a ratio as a change with one decimal: 1.032 is `+3.2 %`, 1 is `0.0 %`."""
    _require_finite(ratio)
    text = number((ratio - 1) * 100, decimals=1)
    return f"{'' if text == '0.0' or text.startswith(MINUS) else '+'}{text} %"


def multiple(ratio: float) -> str:
    """Format a ratio with two significant digits and at least one decimal: 3.14 is `3.1`."""
    return significant(ratio, digits=2, min_decimals=1)


def share(fraction: float) -> str:
    """Format a fraction of one as a percentage: 0.97 is `97.0 %`."""
    _require_finite(fraction)
    return f"{significant(fraction * 100, digits=3, min_decimals=1)} %"


def _under_a_minute(value: float) -> str:
    """Format below a minute: ms under a second, else seconds with a decimal if significant."""
    if value != 0 and abs(value) < 0.9995:
        return f"{_short(value * 1000, digits=3)} ms"
    return f"{_short(value, digits=3)} s"


def _short(value: float, *, digits: int = 4) -> str:
    """Format with significant digits, without trailing zeros."""
    text = significant(value, digits=digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _require_finite(value: float) -> None:
    """Raise ValueError for infinity and NaN."""
    if not math.isfinite(value):
        raise ValueError(f"not a finite figure: {value!r}")

"""Convert iostat's columns of every version to canonical units.

The names are those of iostat(1) of sysstat 9 to 12. kB and MB are 1024 and 1024^2 bytes, a sector
and a block (Blk) 512; avgrq-sz is in sectors, rareq-sz and wareq-sz in kB; waits are milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from apps.tools.text import number

MS = 1_000_000
SECTOR, KIB, MIB = 512, 1024, 1024**2


@dataclass(frozen=True)
class Column:
    """Column of a report.

    - `key`: name of the value, "read iops" or "queue".
    - `scale`: canonical units per printed unit.
    """

    key: str
    scale: float = 1
    size: bool = False


def _sizes(name: str, key: str) -> dict[str, Column]:
    """Return a size's column in each unit of iostat's options."""
    units = {"kB": KIB, "MB": MIB, "sec": SECTOR}
    return {name.format(unit): Column(key, scale, True) for unit, scale in units.items()}


def _operation(letter: str, operation: str) -> dict[str, Column]:
    """Return the columns of one operation in extended reports."""
    return {
        f"{letter}/s": Column(f"{operation} iops"),
        **_sizes(letter + "{}/s", f"{operation} bandwidth"),
        f"{letter}rqm/s": Column(f"{operation} merged"),
        f"%{letter}rqm": Column(f"{operation} merged_share"),
        f"{letter}_await": Column(f"{operation} await", MS),
        f"{letter}areq-sz": Column(f"{operation} request_size", KIB, True),
    }


def _plain(word: str, operation: str) -> dict[str, Column]:
    """Return the columns of reports without -x."""
    units = {"kB": KIB, "MB": MIB, "Blk": SECTOR}
    return {
        f"{unit}_{word}/s": Column(f"{operation} bandwidth", scale, True)
        for unit, scale in units.items()
    }


COLUMNS: Mapping[str, Column] = {
    **_operation("r", "read"),
    **_operation("w", "write"),
    **_operation("d", "discard"),
    "f/s": Column("flush iops"),
    "f_await": Column("flush await", MS),
    **_plain("read", "read"),
    **_plain("wrtn", "write"),
    **_plain("dscd", "discard"),
    "avgrq-sz": Column("request_size", SECTOR, True),
    "areq-sz": Column("request_size", KIB, True),
    "avgqu-sz": Column("queue"),
    "aqu-sz": Column("queue"),
    "await": Column("await", MS),
    "svctm": Column("service_time", MS),
    "%util": Column("utilisation"),
    "tps": Column("transfers"),
    # -s: reads and writes together.
    "kB/s": Column("bandwidth", KIB, True),
    "MB/s": Column("bandwidth", MIB, True),
    "rqm/s": Column("merged"),
}
# JSON has no percent signs in its names.
JSON_NAMES = {"util": "%util", "rrqm": "%rrqm", "wrqm": "%wrqm", "drqm": "%drqm"}
# Totals since the last report: the same as the rate, times an interval.
IGNORED = re.compile(r"^(?:kB|MB|Blk)_(?:read|wrtn|dscd|w\+d)(?:/s)?$")
_FIGURE = re.compile(r"^(\d{1,15})(?:[.,](\d{1,6}))?([kMGTP]?)%?$")
_POWERS = {"k": 1, "M": 2, "G": 3, "T": 4, "P": 5}

DeviceValues = dict[str, float]


def is_column(name: str) -> bool:
    """Return True if a word of a heading is one of iostat's columns."""
    return name in COLUMNS or bool(IGNORED.match(name))


def decimals(text: str) -> int | None:
    """Return the number of decimals; None if the text is no value."""
    match = _FIGURE.match(text)
    return len(match[2] or "") if match else None


def figure(column: Column, text: str) -> float | None:
    """Parse a printed value to its canonical unit: "6.28", "6,28" or, with -h, "4.1M" and "18%"."""
    match = _FIGURE.match(text)
    if not match:
        return None
    value = float(f"{match[1]}.{match[2] or 0}")
    if match[3]:
        # With -h the unit follows the value and overrides the heading.
        power: int = 1024 ** _POWERS[match[3]]
        return value * power if column.size else None
    return canonical(column, value)


def canonical(column: Column, value: object) -> float | None:
    """Convert a number to its canonical unit.

    Rounding removes the floating point error (6.28 ms are 6280000 ns).
    """
    finite = number(value)
    return None if finite is None else round(finite * column.scale, 6)

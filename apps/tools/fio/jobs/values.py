"""Parameter values from fio's option values.

All functions raise ValueError with a message for values without an equivalent.
"""

from __future__ import annotations

import re

from apps.tools.fields import Field
from apps.tools.fio.options.workload import MICROSECONDS
from apps.tools.messages import message
from apps.tools.param_values import parse_cpus, read_field
from apps.tools.values import Scalar

from .units import ARITHMETIC, read_bytes, read_time, short, whole_seconds

_PER_OPERATION = message(
    "Values for reads, writes and trims apart: a step has one for all of them."
)
_SYNONYMS = {
    "rw": {"readwrite": "rw"},
    "sync": {"0": "none", "1": "sync"},
    "fallocate": {"0": "none", "1": "posix"},
}


def read_value(name: str, field: Field, value: str | None, kb_base: int) -> Scalar:
    """Return the value of a parameter from fio's option; None if it equals the unset option."""
    if value is not None and re.search(r"[$`()]", value):
        raise ValueError(ARITHMETIC)
    if field.kind == "flag":
        return _flag(value)
    if value is None or not value:
        raise ValueError(message("A value is missing."))
    if field.kind == "choice":
        return _choice(name, field, value)
    if field.kind == "cpus":
        return parse_cpus(value.replace(" ", ""))
    if field.kind == "text":
        return str(read_field(field, _sizes_in(name, value.replace(" ", ""), kb_base)))
    return _number(field, value, kb_base)


def sizes_by_operation(value: str, kb_base: int) -> str:
    """Return block sizes per operation, "8k,32k", as equivalent ranges."""
    sizes = [short(read_bytes(piece.strip(), kb_base)) for piece in value.split(",")]
    return ",".join(f"{size}-{size}" for size in sizes)


def _flag(value: str | None) -> bool:
    if value in (None, "", "1"):
        return True
    if value == "0":
        return False
    raise ValueError(message("fio takes 0 or 1 here."))


def _choice(name: str, field: Field, value: str) -> str | None:
    if name == "verify" and value == "0":
        return None
    if name == "rw" and ":" in value:
        raise ValueError(
            message("A pattern with a number behind it (a sequence of offsets) is not offered.")
        )
    word = _SYNONYMS.get(name, {}).get(value, value)
    if word not in field.choices:
        raise ValueError(message("benchlab has %(words)s.", words=", ".join(field.choices)))
    return word


def _number(field: Field, value: str, kb_base: int) -> int:
    if "," in value:
        raise ValueError(_PER_OPERATION)
    if value == "-1" and (field.minimum or 0) < 0:
        return -1
    if field.kind == "duration":
        number = whole_seconds(value)
    elif field.unit == MICROSECONDS:
        number = read_time(value, in_seconds=False)
    elif re.fullmatch(r"-\d{1,9}", value):
        number = int(value)
    else:
        number = read_bytes(value, kb_base)
    read_field(field, number)  # check the limits
    return number


def _sizes_in(name: str, value: str, kb_base: int) -> str:
    """Return a mix or range of block sizes with each size in fio's notation."""
    if name not in ("bssplit", "bsrange", "cmdprio_bssplit"):
        return value
    if name == "bsrange":
        value = re.sub(r"(?<=\d)([a-zA-Z]*):", r"\1-", value)  # fio also accepts 4k:64k for a range
    pieces = re.split(r"([:,-]|/\d*)", value)
    read = [short(read_bytes(p, kb_base)) if re.match(r"\d", p) else p for p in pieces]
    return "".join(read)

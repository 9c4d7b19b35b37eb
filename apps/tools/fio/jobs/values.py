"""One option's value as the parameter that means the same. Every function raises ValueError with a
sentence where there is none.
"""

from __future__ import annotations

import re

from apps.tools.fields import Field
from apps.tools.fio.options.workload import MICROSECONDS
from apps.tools.messages import message
from apps.tools.param_values import parse_cpus, read_field
from apps.tools.values import Scalar

from .units import ARITHMETIC, read_bytes, read_time, short, whole_seconds

_APART = message("Values for reads, writes and trims apart: a step has one for all of them.")
_SAME_WORD = {
    "rw": {"readwrite": "rw"},
    "sync": {"0": "none", "1": "sync"},
    "fallocate": {"0": "none", "1": "posix"},
}


def read_value(name: str, field: Field, value: str | None, kb_base: int) -> Scalar:
    """The value of a parameter that is an option of fio's own. None: it is as without the
    option.
    """
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


def sizes_apart(value: str, kb_base: int) -> str:
    """Block sizes for reads, writes and trims apart, "8k,32k", as a range that means the same."""
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
            message("A pattern with a number behind it (a sequence of places) is not offered.")
        )
    word = _SAME_WORD.get(name, {}).get(value, value)
    if word not in field.choices:
        raise ValueError(message("benchlab has %(words)s.", words=", ".join(field.choices)))
    return word


def _number(field: Field, value: str, kb_base: int) -> int:
    if "," in value:
        raise ValueError(_APART)
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
    read_field(field, number)  # its limits
    return number


def _sizes_in(name: str, value: str, kb_base: int) -> str:
    """Sizes inside a mix or range of block sizes, each as fio reads it."""
    if name not in ("bssplit", "bsrange", "cmdprio_bssplit"):
        return value
    if name == "bsrange":
        value = re.sub(r"(?<=\d)([a-zA-Z]*):", r"\1-", value)  # fio takes 4k:64k for a range too
    pieces = re.split(r"([:,-]|/\d*)", value)
    read = [short(read_bytes(p, kb_base)) if re.match(r"\d", p) else p for p in pieces]
    return "".join(read)

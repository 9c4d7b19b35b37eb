"""The background load of a test, as a parameter of its workload.

A result measured beside a background load is one of another workload than the same test alone. So
no view mixes them, and each view that compares the values of a parameter compares them.

The value is text: what the load does and where, then a key of all its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from apps.tools.added_params import BACKGROUND
from apps.tools.fields import Part
from apps.tools.messages import message
from apps.tools.params import canonical_key
from apps.tools.values import Parameters

NONE = "none"
_KEY = " #"
KEY_LETTERS = 8
MAX_LABEL = 300


def background_value(label: str, identity: Mapping[str, object]) -> str:
    """Return the value of the parameter: the label, and the key of what identifies the load."""
    return f"{label[:MAX_LABEL]}{_KEY}{canonical_key(identity)[:KEY_LETTERS]}"


def background_text(value: object) -> str:
    """Return a value without its key."""
    return str(value).rpartition(_KEY)[0] or str(value)


def background_part(known: Parameters) -> Iterator[Part]:
    """Yield the part of a label: "beside fio write 128 KiB on sdb"."""
    if (value := known.get(BACKGROUND)) not in (None, NONE):
        yield Part(BACKGROUND, value, message("beside %(load)s", load=background_text(value)))


def with_background(params: Parameters, like: Mapping[str, Any]) -> Parameters:
    """Return parameters of an operation of a test, beside the background load of the test."""
    load = {BACKGROUND: like[BACKGROUND]} if BACKGROUND in like else {}
    return {**params, **load}


def with_absent(rows: list[Parameters]) -> list[Parameters]:
    """Return parameters that say that there was no background load, if some of them name one."""
    if not any(BACKGROUND in row for row in rows):
        return rows
    return [row if BACKGROUND in row else {**row, BACKGROUND: NONE} for row in rows]

"""Build the parameter dataclass of a plugin from raw values, and its identity.

A plugin's `params.py` declares a frozen dataclass and a table name -> `Field`; `build` parses,
checks ranges and fills in defaults.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from apps.tools.messages import error_message, message

from .errors import ParamsError
from .fields import Field, Params
from .param_values import read_field

P = TypeVar("P")


def build(cls: type[P], fields: Mapping[str, Field], raw: Mapping[str, Any]) -> P:
    """Build a plugin's dataclass from raw values; missing values take the dataclass's defaults.

    Every invalid field is reported at once. A class with a field `more` stores parameters without a
    field of their own there.

    Raises: ParamsError for unknown names and invalid values.
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
    """Move parameters that have a value and no field of their own to `more`, as sorted pairs."""
    field_names = {each.name for each in dataclasses.fields(cls)}
    if "more" not in field_names:
        return values
    more = sorted((n, v) for n, v in values.items() if n not in field_names and v is not None)
    return {name: value for name, value in values.items() if name in field_names} | {
        "more": tuple(more)
    }


def _required(cls: type[Any]) -> list[str]:
    missing = dataclasses.MISSING
    return [
        f.name
        for f in dataclasses.fields(cls)
        if f.default is missing and f.default_factory is missing
    ]


def workload_key(tool: str, params: Params) -> str:
    """Return the identity of a workload across hosts and runs: 16 hexadecimal digits.

    The digits are the first 16 of the SHA-256 of the UTF-8 text
    `{"params":<canonical>,"tool":"<tool>"}` with keys sorted at every level, no spaces and
    unescaped non-ASCII letters. This form is fixed; `canonical()` omits a parameter that was added
    later while it has its default, so old keys stay valid.
    """
    return canonical_key({"tool": tool, "params": params.canonical()})


def canonical_key(value: Mapping[str, object]) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of the canonical JSON of `value`."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]

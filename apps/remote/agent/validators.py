"""Validators of request fields: each returns the value or raises RequestError."""

import re
from typing import Any, Dict, List, Optional

from .errors import RequestError
from .schema import Fingerprint

BLOCK_HASHES = re.compile(r"^(?:[0-9a-f]{8}){1,400}$")


def require(condition: bool, sentence: str) -> None:
    """Raise RequestError unless the condition holds."""
    if not condition:
        raise RequestError(sentence)


def string_list(value: Any, name: str) -> List[str]:
    """Return a list of texts that execve(2) accepts."""
    good = isinstance(value, list) and all(isinstance(v, str) and "\0" not in v for v in value)
    require(good, "{} is not a list of texts.".format(name))
    return list(value)


def number(value: Any, name: str, lowest: float, highest: float) -> float:
    """Return a number between two bounds."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    require(
        good and lowest <= value <= highest,
        "{} is not between {} and {}.".format(name, lowest, highest),
    )
    return float(value)


def whole_number(value: Any, name: str) -> int:
    """Return a whole number from 0."""
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    require(good, "{} is not a whole number from 0.".format(name))
    return int(value)


def string(value: Any, name: str) -> str:
    """Return a text."""
    require(isinstance(value, str), "{} is not a text.".format(name))
    return str(value)


def optional_number(spec: Dict[str, object], name: str) -> Optional[float]:
    """Return a positive number; None for no limit."""
    return None if spec.get(name) is None else number(spec[name], name, 0.001, float(1 << 60))


def boolean(item: Dict[str, object], name: str) -> bool:
    """Return true or false; the default is false."""
    value = item.get(name, False)
    require(isinstance(value, bool), "{} is neither true nor false.".format(name))
    return bool(value)


def validate_fingerprint(value: Any) -> Optional[Fingerprint]:
    """Return the expected fingerprint of a disk; None if unknown.

    `blocks` is None after an unfinished test.
    """
    if value is None:
        return None
    require(isinstance(value, dict), "fingerprint is not an object.")
    blocks, backing = value.get("blocks"), value.get("backing")
    good = blocks is None or (isinstance(blocks, str) and bool(BLOCK_HASHES.match(blocks)))
    require(good, "The fingerprint's blocks are not hashes.")
    require(backing is None or isinstance(backing, dict), "The backing file is not an object.")
    whole = all(isinstance(value.get(name), int) for name in ("version", "size"))
    require(whole, "The fingerprint's version and size are not whole numbers.")
    return {
        "version": value["version"],
        "size": value["size"],
        "blocks": blocks,
        "written": boolean(value, "written"),
        "discarded": boolean(value, "discarded"),
        "backing": backing,
    }

"""Small judgements on what a request says: each gives the value or a sentence."""

import re
from typing import Any, Dict, List, Optional

from .errors import RequestError
from .shapes import Fingerprint

HASHES = re.compile(r"^(?:[0-9a-f]{8}){1,400}$")


def require(condition: bool, sentence: str) -> None:
    """Raise RequestError unless the condition holds."""
    if not condition:
        raise RequestError(sentence)


def strings(value: Any, name: str) -> List[str]:
    """A list of texts that execve(2) can carry."""
    good = isinstance(value, list) and all(isinstance(v, str) and "\0" not in v for v in value)
    require(good, "{} is not a list of texts.".format(name))
    return list(value)


def number(value: Any, name: str, lowest: float, highest: float) -> float:
    """A number between two bounds."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    require(
        good and lowest <= value <= highest,
        "{} is not between {} and {}.".format(name, lowest, highest),
    )
    return float(value)


def whole_number(value: Any, name: str) -> int:
    """A whole number of bytes, from 0."""
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    require(good, "{} is not a whole number from 0.".format(name))
    return int(value)


def named(value: Any, name: str) -> str:
    """A text."""
    require(isinstance(value, str), "{} is not a text.".format(name))
    return str(value)


def optional_number(spec: Dict[str, object], name: str) -> Optional[float]:
    """A positive number, or None for no bound."""
    return None if spec.get(name) is None else number(spec[name], name, 0.001, float(1 << 60))


def flag(item: Dict[str, object], name: str) -> bool:
    """True or false; false when it is not said."""
    value = item.get(name, False)
    require(isinstance(value, bool), "{} is neither true nor false.".format(name))
    return bool(value)


def checked_fingerprint(value: Any) -> Optional[Fingerprint]:
    """The content a disk must have (content.py), or None: nothing is known of that. `blocks` is
    None after a test that did not get to its end.
    """
    if value is None:
        return None
    require(isinstance(value, dict), "fingerprint is not an object.")
    blocks, backing = value.get("blocks"), value.get("backing")
    good = blocks is None or (isinstance(blocks, str) and bool(HASHES.match(blocks)))
    require(good, "The fingerprint's blocks are not hashes.")
    require(backing is None or isinstance(backing, dict), "The backing file is not an object.")
    whole = all(isinstance(value.get(name), int) for name in ("version", "size"))
    require(whole, "The fingerprint's version and size are not whole numbers.")
    return {
        "version": value["version"],
        "size": value["size"],
        "blocks": blocks,
        "written": flag(value, "written"),
        "discarded": flag(value, "discarded"),
        "backing": backing,
    }

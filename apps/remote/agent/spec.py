"""What a launch may ask for: checked before anything exists."""

import re
from typing import Any, List

from .errors import RequestError
from .files import JSON
from .job import OWN, Job

FILE = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,127}$")
NUMBERS = {"settle": (0.0, 3600.0, 0.0), "lease": (1.0, 86400.0, 60.0)}


def checked(spec: Any) -> JSON:
    """The spec with defaults filled in. Raises RequestError with a sentence."""
    require(isinstance(spec, dict), "The spec is not an object.")
    Job("", spec.get("attempt"))
    commands = spec.get("commands")
    require(isinstance(commands, list) and bool(commands), "The spec has no commands.")
    result = {
        "attempt": spec["attempt"],
        "commands": [command(item) for item in commands],
        "target": target(spec.get("target")),
        "tuning": [setting(item) for item in spec.get("tuning") or []],
        "watch": strings(spec.get("watch") or [], "watch"),
        "deadline": optional_number(spec, "deadline"),
        "limit": optional_number(spec, "limit"),
    }
    for name, (lowest, highest, default) in NUMBERS.items():
        result[name] = number(spec.get(name, default), name, lowest, highest)
    return result


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


def optional_number(spec: JSON, name: str) -> Any:
    """A positive number, or None for no bound."""
    return None if spec.get(name) is None else number(spec[name], name, 0.001, float(1 << 60))


def command(item: Any) -> JSON:
    """One command: role, argv and the plain names of its output files."""
    require(isinstance(item, dict), "A command is not an object.")
    argv = strings(item.get("argv"), "argv")
    require(bool(argv) and bool(argv[0]), "A command has no program.")
    files = strings(item.get("files") or [], "files")
    for name in files:
        plain = bool(FILE.match(name)) and name not in OWN and name != "device.log"
        require(plain, "{!r} cannot be a tool's file name.".format(name))
    return {"role": str(item.get("role", "main")), "argv": argv, "files": files}


def target(item: Any) -> Any:
    """A disk by identity, a directory by path, or nothing (a network test)."""
    if item is None:
        return None
    require(isinstance(item, dict), "The target is not an object.")
    require(item.get("kind") in ("disk", "directory"), "The target is neither disk nor directory.")
    require(
        isinstance(item.get("write"), bool), "The target does not say whether it is written to."
    )
    if item["kind"] == "directory":
        require(isinstance(item.get("path"), str), "The directory has no path.")
        needs = number(item.get("needs") or 0, "needs", 0, float(1 << 60))
        return {
            "kind": "directory",
            "path": item["path"],
            "needs": int(needs),
            "write": item["write"],
        }
    require(isinstance(item.get("identity"), str), "The disk has no identity.")
    size = item.get("size")
    require(
        size is None or isinstance(size, int), "The disk's size is not a whole number of bytes."
    )
    allow = item.get("allow_signatures", False)
    require(isinstance(allow, bool), "allow_signatures is neither true nor false.")
    keys = {"kind": "disk", "identity": item["identity"], "size": size}
    return dict(keys, write=item["write"], allow_signatures=allow)


def setting(item: Any) -> JSON:
    """One setting on loan; its name and value are judged by the module that knows the kind."""
    require(isinstance(item, dict), "A setting is not an object.")
    for name in ("kind", "identity", "name"):
        require(isinstance(item.get(name), str), "A setting has no {}.".format(name))
    require(isinstance(item.get("value"), (str, int)), "A setting has no value.")
    return {name: item[name] for name in ("kind", "identity", "name", "value")}

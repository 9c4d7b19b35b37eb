"""Convert a command line of rbd bench to a step of a plan (rbd(8))."""

from __future__ import annotations

from collections.abc import Mapping

from apps.tools.messages import message
from apps.tools.param_values import parse_size
from apps.tools.pasted_commands.call import (
    Call,
    CommandError,
    CommandNote,
    ParsedCommand,
    ParsedStep,
)
from apps.tools.pasted_commands.options import collected, names_of
from apps.tools.rbd.fields import PATTERNS
from apps.tools.values import RawValue

_TABLE = {
    "mode": "--io-type",
    "bs": "--io-size",
    "threads": "--io-threads",
    "size": "--io-total",
    "pattern": "--io-pattern",
    "reads": "--rw-mix-read",
    "pool": "-p --pool",
    "image": "--image",
    "namespace": "--namespace",
    "cluster": "--cluster",
    "conf": "-c --conf",
    "who": "-n --name --id --user --keyring -k -m",
}
_NAMES = names_of(_TABLE, " ".join(_TABLE))
_PATTERN_NAMES = {word: name for name, word in PATTERNS.items()}
_DEFAULTS: Mapping[str, int] = {"bs": 4096, "threads": 16, "size": 1024**3}
_OTHER = message("Not necessary: benchlab makes an image of its own and removes it.")
_TARGET = message("The plan's target is a pool, and benchlab makes an image of its own in it.")
_LEFT = dict.fromkeys(("pool", "image", "namespace", "cluster", "conf", "who"), _TARGET)


def parse_command(call: Call) -> ParsedCommand:
    """Return the test of an image.

    Raises: CommandError.
    """
    arguments = collected(call.argv[1:], _NAMES, _LEFT)
    options, words, notes, unknown = (
        arguments.options,
        arguments.words,
        arguments.notes,
        arguments.unknown,
    )
    if words[:1] not in (["bench"], ["bench-write"]):
        return ParsedCommand(notes=(CommandNote("left", " ".join(call.argv), _OTHER),))
    if unknown or len(words) > 2:
        reason = message("A step of rbd bench has nothing like it.")
        raise CommandError(reason, [*unknown, *words[2:]][0])
    if words[0] == "bench-write":
        options.setdefault("mode", "write")
    notes += [CommandNote("left", word, _TARGET) for word in words[1:]]
    reason = message(
        "The command has no size of the image, and the step makes one: set image_size."
    )
    notes.append(CommandNote("understood", "image_size", reason))
    params = _params(options)
    target = words[1] if len(words) > 1 else options.get("image", "")
    if options.get("pool") and "/" not in target:
        target = f"{options['pool']}/{target}"
    return ParsedCommand((ParsedStep(f"rbd {params['mode']}", params, target),), tuple(notes))


def _params(options: Mapping[str, str]) -> dict[str, RawValue]:
    mode = {"rw": "readwrite"}.get(options.get("mode", ""), options.get("mode", ""))
    if mode not in ("read", "write", "readwrite"):
        reason = message("rbd bench needs read, write or readwrite (--io-type).")
        raise CommandError(reason, f"--io-type {mode}")
    pattern = options.get("pattern", "seq")
    if pattern not in _PATTERN_NAMES:
        raise CommandError(message("rbd bench has no such pattern."), f"--io-pattern {pattern}")
    params: dict[str, RawValue] = {"mode": mode, "pattern": _PATTERN_NAMES[pattern]}
    for name, default in _DEFAULTS.items():
        params[name] = _number(options, name, default)
    if mode == "readwrite":
        params["reads"] = _number(options, "reads", 50)
    return params


def _number(options: Mapping[str, str], name: str, default: int) -> int:
    if name not in options:
        return default
    try:
        return parse_size(options[name])
    except ValueError as error:
        written = f"{_TABLE[name].split()[0]} {options[name]}"
        raise CommandError(message("This is no number of rbd's."), written) from error

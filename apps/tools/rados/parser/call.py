"""Parse a command line of `rados bench` (rados(8))."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from apps.tools.loops import loop_lines, separate
from apps.tools.values import Parameters

OPERATIONS = ("write", "seq", "rand")
# Defaults of rados.cc.
THREADS, BLOCK = 16, 4 * 1024**2
_MAX_LENGTH = 4_000
_COUNTED = {
    **{"-t": "threads", "--concurrent-ios": "threads"},
    **{"-b": "bs", "--block-size": "bs", "-O": "object_size", "--object-size": "object_size"},
    "--max-objects": "max_objects",
}
_POOL = frozenset({"-p", "--pool"})
# Options of the connection and of the output format do not change the workload.
_NEUTRAL_VALUES = frozenset(
    {
        *("-N", "--namespace", "--run-name", "-c", "--conf", "-m", "--mon-host", "-k", "--keyring"),
        *("--id", "--user", "-n", "--name", "--cluster", "-f", "--format", "--setuser"),
    }
)
_NEUTRAL = frozenset({"--no-cleanup", "--show-time", "--write-object", "--format"})
_SWITCHES = {"--no-hints": "hints", "--no-verify": "verify"}
_SIZE = re.compile(r"(\d{1,15})([KMGT]?)(?:i?B)?", re.IGNORECASE)
_ATTACHED = re.compile(r"(-[tbO])=?(\d\w{0,18})")
_END = re.compile(r"[|;&#]")
_REDIRECT = re.compile(r"^\d?>{1,2}")


@dataclass(frozen=True)
class RadosCall:
    """One command line.

    - `params`: plan parameters, with the defaults of rados.
    - `unread`: parameter (or the option itself) -> text of an option whose value is no number.
    """

    operation: str
    seconds: float
    pool: str = ""
    params: Parameters = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)


def command(line: str) -> tuple[str, float] | None:
    """Return operation and seconds of a command line such as "rados bench -p test 10 write".

    The form is bench SECONDS MODE (rados(8)); None for any other line.
    """
    if "rados" not in line or "bench" not in line:
        return None
    words = _words(line)
    return _operation_and_seconds(words) if words else None


def call_of(line: str) -> RadosCall | None:
    """Parse a command line completely; None for any other line."""
    operation_and_seconds = command(line)
    if operation_and_seconds is None:
        return None
    operation, seconds = operation_and_seconds
    call = RadosCall(operation, seconds)
    pool = ""
    for name, value in _options(_words(line)):
        if name in _POOL:
            pool = value
        else:
            _take(call, name, value)
    params = _with_defaults(call)
    return RadosCall(operation, seconds, pool, params, call.unread)


def calls_of(line: str, looped: Sequence[str] | None = None) -> list[RadosCall]:
    """Return the calls of a command line in order: several of a shell loop, none of other lines.

    `looped`: the line's commands in the loops around it.
    """
    looped = loop_lines(line) if looped is None else looped
    calls = [call_of(each) for each in separate(looped or (line,))]
    return [each for each in calls if each is not None]


def expects_value(line: str) -> bool:
    """Return True if a command line ends with an option that needs a value."""
    last = line.rstrip().rpartition(" ")[2]
    name = _long(last)
    return last.startswith("-") and (name in _COUNTED or name in _POOL or name in _NEUTRAL_VALUES)


def _with_defaults(call: RadosCall) -> Parameters:
    """Return the parameters of this operation with defaults.

    A read has the sizes of the objects written before; rados ignores its size options.
    """
    defaults: Parameters = {} if "threads" in call.unread else {"threads": THREADS}
    if call.operation == "write":
        defaults |= {} if "bs" in call.unread else {"bs": BLOCK}
    else:
        defaults["verify"] = True
    params = defaults | {"hints": True} | call.params
    if call.operation == "write":
        params.pop("verify", None)
        if "bs" in params and "object_size" not in call.unread:
            params.setdefault("object_size", params["bs"])
    else:
        params.pop("max_objects", None)
    return params


def _take(call: RadosCall, name: str, value: str) -> None:
    if name in _COUNTED:
        size = _size(value)
        if size is None:
            call.unread[_COUNTED[name]] = f"{name} {value}".strip()
        elif size or _COUNTED[name] != "max_objects":
            call.params[_COUNTED[name]] = size
    elif name in _SWITCHES:
        call.params[_SWITCHES[name]] = False
    elif name not in _NEUTRAL | _NEUTRAL_VALUES:
        call.unread[name] = f"{name} {value}".strip()


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value. An unknown option has no value."""
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or len(word) < 2:
            continue
        if attached := _ATTACHED.fullmatch(word):
            yield attached[1], attached[2]
            continue
        name, equals, value = word.partition("=")
        name = _long(name)
        takes = name in _COUNTED or name in _POOL or name in _NEUTRAL_VALUES
        yield name, value if equals or not takes else next(rest, "")


def _long(name: str) -> str:
    """Return the normalised option: rados treats - and _ alike, and users write "-no-cleanup"."""
    if len(name) < 3:
        return name
    return "--" + name.lstrip("-").replace("_", "-")


def _words(line: str) -> list[str]:
    """Return the words from "rados" on, up to a pipe, a comment or the next command.

    Empty if the line does not call rados bench.
    """
    try:
        words = shlex.split(line[:_MAX_LENGTH])
    except ValueError:
        words = line[:_MAX_LENGTH].split()
    words = [word.strip("`'\"") for word in words]
    starts = [index for index, word in enumerate(words) if word.endswith("rados")]
    if not starts or "bench" not in words[starts[0] :]:
        return []
    result: list[str] = []
    skips_next = False
    for word in words[starts[0] :]:
        if _END.match(word):
            break
        if skips_next or _REDIRECT.match(word):
            skips_next = not skips_next and not _REDIRECT.sub("", word)
            continue
        result.append(word.rstrip(";"))
        if word.endswith(";"):
            break
    return result


def _operation_and_seconds(words: Sequence[str]) -> tuple[str, float] | None:
    if "bench" not in words:
        return None
    for seconds, operation in pairwise(words[words.index("bench") + 1 :]):
        if operation in OPERATIONS and seconds.isdecimal() and len(seconds) < 10:
            return operation, float(seconds)
    return None


def _size(text: str) -> int | None:
    """Parse a number with the suffixes of rados, powers of 1024."""
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    power = " KMGT".index(match[2].upper() or " ")
    return int(match[1]) << 10 * power

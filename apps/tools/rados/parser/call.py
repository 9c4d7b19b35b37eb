"""A command line of `rados bench` -> what it asks for (rados(8))."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from apps.tools.loops import loop_lines, separate
from apps.tools.values import Parameters

OPERATIONS = ("write", "seq", "rand")
# rados.cc: what counts where the command line has no such option.
THREADS, BLOCK = 16, 4 * 1024**2
_LONGEST = 4_000
_COUNTED = {
    **{"-t": "threads", "--concurrent-ios": "threads"},
    **{"-b": "bs", "--block-size": "bs", "-O": "object_size", "--object-size": "object_size"},
    "--max-objects": "max_objects",
}
_POOL = frozenset({"-p", "--pool"})
# Who connects to which cluster, and how the result is printed: the load is the same.
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
    """One call. `params` has the names of plan parameters, with the defaults of rados; `unread`
    maps an option whose value is no number to its words, by the parameter, else by itself.
    """

    operation: str
    seconds: float
    pool: str = ""
    params: Parameters = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)


def command(line: str) -> tuple[str, float] | None:
    """Operation and seconds of a command line such as "rados bench -p test 10 write --no-cleanup"
    (rados(8): bench SECONDS MODE); None for any other line.
    """
    if "rados" not in line or "bench" not in line:
        return None
    words = _words(line)
    return _asked(words) if words else None


def call_of(line: str) -> RadosCall | None:
    """All that a command line asks for; None for any other line."""
    asked = command(line)
    if asked is None:
        return None
    operation, seconds = asked
    found = RadosCall(operation, seconds)
    pool = ""
    for name, value in _options(_words(line)):
        if name in _POOL:
            pool = value
        else:
            _take(found, name, value)
    params = _with_defaults(found)
    return RadosCall(operation, seconds, pool, params, found.unread)


def calls_of(line: str, looped: Sequence[str] | None = None) -> list[RadosCall]:
    """The calls of a command line in their order: several of a loop over words, none of any other
    line. `looped`: its commands in the loops around it.
    """
    looped = loop_lines(line) if looped is None else looped
    found = [call_of(each) for each in separate(looped or (line,))]
    return [each for each in found if each is not None]


def expects_value(line: str) -> bool:
    """Whether a command line ends with an option whose value is not there."""
    last = line.rstrip().rpartition(" ")[2]
    name = _long(last)
    return last.startswith("-") and (name in _COUNTED or name in _POOL or name in _NEUTRAL_VALUES)


def _with_defaults(found: RadosCall) -> Parameters:
    """The parameters of this operation. A read has the sizes of what was written before, and rados
    does not take them from its options.
    """
    usual: Parameters = {} if "threads" in found.unread else {"threads": THREADS}
    if found.operation == "write":
        usual |= {} if "bs" in found.unread else {"bs": BLOCK}
    else:
        usual["verify"] = True
    params = usual | {"hints": True} | found.params
    if found.operation == "write":
        params.pop("verify", None)
        if "bs" in params and "object_size" not in found.unread:
            params.setdefault("object_size", params["bs"])
    else:
        params.pop("max_objects", None)
    return params


def _take(found: RadosCall, name: str, value: str) -> None:
    if name in _COUNTED:
        size = _size(value)
        if size is None:
            found.unread[_COUNTED[name]] = f"{name} {value}".strip()
        elif size or _COUNTED[name] != "max_objects":
            found.params[_COUNTED[name]] = size
    elif name in _SWITCHES:
        found.params[_SWITCHES[name]] = False
    elif name not in _NEUTRAL | _NEUTRAL_VALUES:
        found.unread[name] = f"{name} {value}".strip()


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each option with its value. An option that nobody lists has none."""
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
    """Rados takes - and _ alike, and people write "-no-cleanup"."""
    if len(name) < 3:
        return name
    return "--" + name.lstrip("-").replace("_", "-")


def _words(line: str) -> list[str]:
    """The words of the command from its "rados" on, up to a pipe, a comment or the next command;
    empty where none is called.
    """
    try:
        words = shlex.split(line[:_LONGEST])
    except ValueError:
        words = line[:_LONGEST].split()
    words = [word.strip("`'\"") for word in words]
    ends = [place for place, word in enumerate(words) if word.endswith("rados")]
    if not ends or "bench" not in words[ends[0] :]:
        return []
    found: list[str] = []
    skips = False
    for word in words[ends[0] :]:
        if _END.match(word):
            break
        if skips or _REDIRECT.match(word):
            skips = not skips and not _REDIRECT.sub("", word)
            continue
        found.append(word.rstrip(";"))
        if word.endswith(";"):
            break
    return found


def _asked(words: Sequence[str]) -> tuple[str, float] | None:
    if "bench" not in words:
        return None
    for seconds, operation in pairwise(words[words.index("bench") + 1 :]):
        if operation in OPERATIONS and seconds.isdecimal() and len(seconds) < 10:
            return operation, float(seconds)
    return None


def _size(text: str) -> int | None:
    """A number with rados's suffixes, powers of 1024."""
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    power = " KMGT".index(match[2].upper() or " ")
    return int(match[1]) << 10 * power

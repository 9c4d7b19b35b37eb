"""Parse the image and the unknown options of a command line of `rbd bench` (rbd(8)).

rbd prints the other options again in its output.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.tools.loops import loop_lines, separate

_MAX_LENGTH = 4_000
COMMAND = re.compile(r"(?:^|[\s#$/`])rbd\s[^\n]{0,400}?\bbench(?:-write)?\b")
# rbd prints these again in its first line.
_PRINTED = frozenset(
    {"--io-size", "--io-threads", "--io-total", "--io-pattern", "--io-type", "--rw-mix-read"}
)
_PARTS = {"-p": "pool", "--pool": "pool", "--namespace": "namespace", "--image": "image"}
_CONNECTION = frozenset(
    {
        *("-c", "--conf", "-m", "--mon_host", "--mon-host", "-k", "--keyring", "-K", "--keyfile"),
        *("--id", "--user", "-n", "--name", "--cluster"),
    }
)
_NEUTRAL = frozenset({"--no-progress"})
_END = re.compile(r"[|;&#]")
_REDIRECT = re.compile(r"^\d?>{1,2}")
_IMAGE = re.compile(r"[\w.@:-]+(?:/[\w.@:-]+){0,2}")


@dataclass(frozen=True)
class RbdCall:
    """One command line. `image`: "pool/image" as far as the command line contains it."""

    image: str = ""
    unread: tuple[str, ...] = ()


def call_of(line: str) -> RbdCall | None:
    """Return the image and options of a command line; None for any other line."""
    if "rbd" not in line or COMMAND.search(line[:_MAX_LENGTH]) is None:
        return None
    named: dict[str, str] = {}
    unread: list[str] = []
    for name, value in _options(_words(line[:_MAX_LENGTH])):
        if not name:
            if _IMAGE.fullmatch(value):
                named.setdefault("image", value)
        elif name in _PARTS:
            named[_PARTS[name]] = value
        elif name not in _PRINTED | _CONNECTION | _NEUTRAL:
            unread.append(f"{name}{value}")
    parts = [named.get(part, "") for part in ("pool", "namespace", "image")]
    image = "/".join(part for part in parts if part) if named.get("image") else ""
    return RbdCall(image, tuple(unread))


def calls_of(line: str) -> list[RbdCall]:
    """Return the calls of a command line in order: several of a shell loop, none of other lines."""
    calls = [call_of(each) for each in separate(loop_lines(line) or (line,))]
    return [each for each in calls if each is not None]


def expects_value(line: str) -> bool:
    """Return True if a command line ends with an option that needs a value."""
    return line.rstrip().rpartition(" ")[2] in _PRINTED | _PARTS.keys() | _CONNECTION


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value; other words have an empty name."""
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            yield "", word
        elif equals:
            yield name, f"={value}" if name not in _PRINTED | _PARTS.keys() | _CONNECTION else value
        elif name in _PRINTED | _PARTS.keys() | _CONNECTION:
            yield name, next(rest, "")
        else:
            yield name, ""


def _words(line: str) -> list[str]:
    """Return the words after "bench" and the options before it, up to the end of the command."""
    try:
        words = shlex.split(line)
    except ValueError:
        words = line.split()
    words = [word.strip("`'\"") for word in words]
    begin = next(
        (index for index, word in enumerate(words) if word.rpartition("/")[2] == "rbd"), None
    )
    if begin is None:
        return []
    result: list[str] = []
    for word in words[begin + 1 :]:
        if _END.match(word) or _REDIRECT.match(word):
            break
        if word not in ("bench", "bench-write"):
            result.append(word.rstrip(";\\"))
    return [word for word in result if word]
